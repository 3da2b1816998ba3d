# SPDX-License-Identifier: GPL-2.0
# TEST: every fifth write fails under swap, and no byte is wrong
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
swap_on
set_fault fail_write 5
run_squeezed 16M farmem-memory 32 fill random sequential
set_fault fail_write 0
swapoff /dev/farmem0
expect_at_least 100 "$(counter write_errors)" "write_errors"
expect_equal 0 "$(counter read_errors)" "read_errors"
