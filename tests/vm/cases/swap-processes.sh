# SPDX-License-Identifier: GPL-2.0
# TEST: several processes that swap at once keep their contents
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
swap_on
run_in_cgroup 16M farmem-memory -p 4 8 fill meet random sequential
swapoff /dev/farmem0
expect_at_least $((15 << 20)) "$(counter write_bytes)" "bytes swapped out"
expect_idle
