# SPDX-License-Identifier: GPL-2.0
# TEST: a program with twice the memory of its cgroup keeps its contents, sequential and random, in 4k pages
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
swap_on
run_squeezed 16M farmem-memory 32 fill random sequential
swapoff /dev/farmem0
expect_at_least $((32 << 20)) "$(counter write_bytes)" "bytes swapped out"
expect_at_least $((32 << 20)) "$(counter read_bytes)" "bytes swapped in"
expect_idle
