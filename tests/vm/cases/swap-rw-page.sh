# SPDX-License-Identifier: GPL-2.0
# TEST: swap reads are polled, by rw_page, on the kernels that have it
# KERNELS: 6.1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

expect_text rw_page "$(load && cat $CONFIG/features && unload)" "features"
serve
load_volume 48M
echo 1000000 >/sys/module/farmem/parameters/poll_budget_us
sysctl -qw vm.page-cluster=0
swap_on
before=$(counter polled_reads)
run_squeezed 16M farmem-memory 32 fill random
sysctl -qw vm.page-cluster=3
swapoff /dev/farmem0
expect_at_least $((before + 2000)) "$(counter polled_reads)" "polled_reads while swapping in"
expect_idle
