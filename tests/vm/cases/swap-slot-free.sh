# SPDX-License-Identifier: GPL-2.0
# TEST: slots that a program leaves behind are noted as free, and hold data again when reused
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
swap_on
run_squeezed 12M farmem-memory 24 fill
expect_at_least 2500 "$(counter slot_frees)" "slots freed by a program that ended"
expect_at_least 2500 "$(counter zero_pages)" "pages known as empty"
# The same slots again.
run_squeezed 12M farmem-memory 24 fill sequential
swapoff /dev/farmem0
expect_idle
# What is free stays so across a reload.
zeros=$(counter zero_pages)
reload 48M
expect_equal "$zeros" "$(counter zero_pages)" "empty pages after a reload"
