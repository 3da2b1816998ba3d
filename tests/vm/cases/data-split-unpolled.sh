# SPDX-License-Identifier: GPL-2.0
# TEST: of a read in several pieces none is polled for, which would keep the next from being posted
# KERNELS: 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M sync=1
echo 1000000 >/sys/module/farmem/parameters/poll_budget_us
farmem-pages /dev/farmem0 write=0,400,7
# One that is starved for longer than the budget is not polled for to its end.
one_is_polled() { farmem-pages /dev/farmem0 check=0,1,7 && (($(counter polled_reads) > 0)); }
wait_for 20 one_is_polled || die "no read in one piece was polled for"
before=$(counter polled_reads)
# soft-RoCE takes 32 SGEs in a request: 40 scattered pages are two.
farmem-pages /dev/farmem0 gather=0,400,7
expect_equal "$before" "$(counter polled_reads)" "polled_reads after reads in pieces"
expect_idle
