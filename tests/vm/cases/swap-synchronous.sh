# SPDX-License-Identifier: GPL-2.0
# TEST: swap on a synchronous volume (sync=1) keeps a program's contents, reads no page ahead, and its reads are polled
# KERNELS: 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

read_ahead() { awk '$1 == "swap_ra" { print $2 }' /proc/vmstat; }

serve
load_volume 48M sync=1
echo 1000000 >/sys/module/farmem/parameters/poll_budget_us
swap_on
before=$(read_ahead)
run_squeezed 16M farmem-memory 32 fill random sequential
swapoff /dev/farmem0
expect_equal "$before" "$(read_ahead)" "pages read ahead"
expect_at_least 2000 "$(counter polled_reads)" "polled_reads"
expect_idle
