# SPDX-License-Identifier: GPL-2.0
# TEST: of a window that swap reads ahead, the page that a task faulted on is polled for, the others are not, where the adapter does its work itself
# KERNELS: 5.10 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

load
adapter_says adapter=1
serve
make_session default
make_volume default session=default size=48M
power_on sessions/default
power_on volumes/default
echo 1000000 >/sys/module/farmem/parameters/poll_budget_us
swap_on
sysctl -qw vm.page-cluster=3
polled=$(counter polled_reads) irq=$(counter irq_reads)
run_squeezed 16M farmem-memory 32 fill sequential
polled=$(($(counter polled_reads) - polled)) irq=$(($(counter irq_reads) - irq))
echo "polled for: $polled, not: $irq"
expect_at_least 200 "$polled" "polled_reads"
expect_at_least $((4 * polled)) "$irq" "irq_reads"
swapoff /dev/farmem0
expect_idle
all_off
