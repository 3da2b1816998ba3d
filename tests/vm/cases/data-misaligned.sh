# SPDX-License-Identifier: GPL-2.0
# TEST: direct I/O of less than a page, or between two, is refused and changes nothing
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,64,1
head -c 64k /dev/urandom >/tmp/data
expect_fail dd if=/tmp/data of=/dev/farmem0 bs=512 seek=1 count=1 oflag=direct status=none
expect_fail dd if=/tmp/data of=/dev/farmem0 bs=6k count=1 oflag=direct status=none
expect_fail dd if=/dev/farmem0 of=/tmp/out bs=512 skip=1 count=8 iflag=direct status=none
expect_fail blkdiscard -f -o 512 -l 4096 /dev/farmem0
farmem-pages /dev/farmem0 check=0,64,1
expect_idle
