# SPDX-License-Identifier: GPL-2.0
# TEST: buffered writes are in the memory node after fsync, not in the page cache alone
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
head -c 4M /dev/urandom >/tmp/data
dd if=/tmp/data of=/dev/farmem0 bs=24k conv=fsync status=none
expect_at_least $((4 << 20)) "$(counter write_bytes)" "bytes written by fsync"
before=$(counter read_bytes)
echo 3 >/proc/sys/vm/drop_caches
cmp -n 4M /tmp/data /dev/farmem0
expect_at_least $((before + (4 << 20))) "$(counter read_bytes)" "bytes read"
expect_idle
