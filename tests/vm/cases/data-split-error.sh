# SPDX-License-Identifier: GPL-2.0
# TEST: a write that goes in two pieces fails when only the first fails, and so does a read
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
# soft-RoCE takes 32 SGEs in a request: 40 scattered pages are two.
farmem-pages /dev/farmem0 scatter=0,40,7
set_fault fail_write 2
set_fault fail_read 2
# One that succeeds, so that the next is the second.
farmem-pages /dev/farmem0 write=100,1,7
! farmem-pages /dev/farmem0 scatter=0,40,8 2>/tmp/error || die "half a write was acknowledged"
expect_text 'Input/output error' "$(</tmp/error)" "error of the write"
farmem-pages /dev/farmem0 check=100,1,7
! farmem-pages /dev/farmem0 gather=0,40,7 2>/tmp/error || die "half a read was a success"
expect_text 'Input/output error' "$(</tmp/error)" "error of the read"
set_fault fail_write 0
set_fault fail_read 0
expect_equal 1 "$(counter write_errors)" "write_errors"
unload
