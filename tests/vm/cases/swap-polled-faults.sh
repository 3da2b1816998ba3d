# SPDX-License-Identifier: GPL-2.0
# TEST: the read of a page fault is polled without rw_page too, readahead's are not
# KERNELS: 5.10 6.12 newest
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
echo 1000000 >/sys/module/farmem/parameters/poll_budget_us
swap_on
sysctl -qw vm.page-cluster=0
before=$(counter polled_reads)
run_squeezed 16M farmem-memory 32 fill random
expect_at_least $((before + 2000)) "$(counter polled_reads)" "polled_reads without readahead"

sysctl -qw vm.page-cluster=3
before=$(counter irq_reads)
run_squeezed 16M farmem-memory 32 fill sequential
expect_at_least $((before + 1000)) "$(counter irq_reads)" "irq_reads with readahead"
swapoff /dev/farmem0
expect_idle
