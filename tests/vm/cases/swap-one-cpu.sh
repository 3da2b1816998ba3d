# SPDX-License-Identifier: GPL-2.0
# TEST: with one CPU a program with twice the memory of its cgroup keeps its contents
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
swap_on
run_squeezed 16M farmem-memory 32 fill random sequential
swapoff /dev/farmem0
expect_at_least $((16 << 20)) "$(counter write_bytes)" "bytes swapped out"
expect_idle
