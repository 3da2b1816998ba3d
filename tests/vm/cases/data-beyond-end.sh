# SPDX-License-Identifier: GPL-2.0
# TEST: I/O beyond the end fails, and what lies before the end is not touched
. "$FARMEM_TESTS/vm/cases.sh"

serve
# Not a whole number of slabs: the server lends more than the disk shows.
load_volume 20M
expect_equal $((20 << 20)) "$(blockdev --getsize64 /dev/farmem0)" "size of the disk"
farmem-pages /dev/farmem0 write=5056,64,1
head -c 64k /dev/urandom >/tmp/data
expect_fail dd if=/tmp/data of=/dev/farmem0 bs=4k seek=5120 oflag=direct status=none
expect_fail blkdiscard -f -o $((24 << 20)) -l 4096 /dev/farmem0
expect_equal 0 "$(dd if=/dev/farmem0 bs=4k skip=5120 count=1 iflag=direct status=none | wc -c)" \
	"bytes read beyond the end"
# The kernel checks these; nothing got as far as an error of ours.
farmem-pages /dev/farmem0 check=5056,64,1
expect_fail farmem-pages /dev/farmem0 check=5119,2,1
expect_idle
