# SPDX-License-Identifier: GPL-2.0
# TEST: several processes that swap at once keep their contents
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve --size 128M
# Not smaller: 6.12's reclaim gives up when what it looks at is under writeback.
load_volume 96M
swap_on
run_squeezed 32M farmem-memory -p 4 16 fill meet random sequential
swapoff /dev/farmem0
expect_at_least $((30 << 20)) "$(counter write_bytes)" "bytes swapped out"
expect_idle
