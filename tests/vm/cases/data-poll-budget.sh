# SPDX-License-Identifier: GPL-2.0
# TEST: a read that outlasts its polling budget comes by interrupt, and holds the right bytes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
echo 0 >/sys/module/farmem/parameters/poll_budget_us
farmem-pages /dev/farmem0 write=0,256,1
reads=()
for i in {0..63}; do
	reads+=("check=$i,1,1")
done
farmem-pages /dev/farmem0 "${reads[@]}" check=64,192,1
# Up to 6.1 soft-RoCE is often done by the time that a post returns.
if [[ $FARMEM_KERNEL != 5.10 && $FARMEM_KERNEL != 6.1 ]]; then
	expect_at_least 32 "$(counter irq_reads)" "irq_reads without a budget"
fi
expect_at_least 67 $(($(counter irq_reads) + $(counter polled_reads))) "reads"
expect_idle
