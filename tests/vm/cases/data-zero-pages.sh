# SPDX-License-Identifier: GPL-2.0
# TEST: a page of zeros costs no data bytes, written or read
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,300,1
written=$(counter write_bytes)
dd if=/dev/zero of=/dev/farmem0 bs=4k seek=100 count=50 oflag=direct status=none
expect_equal 50 "$(counter zero_writes)" "zero_writes"
expect_equal "$written" "$(counter write_bytes)" "write_bytes"
polled=$(counter polled_reads) irq=$(counter irq_reads)
farmem-pages /dev/farmem0 zeros=100,50
expect_equal 50 "$(counter zero_reads)" "zero_reads"
expect_equal "$polled $irq" "$(counter polled_reads) $(counter irq_reads)" "reads posted"
farmem-pages /dev/farmem0 check=0,100,1 zeros=100,50 check=150,150,1
# One byte that is not zero makes it data.
printf x | dd of=/tmp/page bs=1 seek=4095 status=none
dd if=/tmp/page of=/dev/farmem0 bs=4k seek=120 oflag=direct status=none
expect_equal 50 "$(counter zero_writes)" "zero_writes"
reload 16M
dd if=/dev/farmem0 bs=4k skip=120 count=1 iflag=direct status=none | cmp - /tmp/page
farmem-pages /dev/farmem0 check=0,100,1 zeros=100,20 zeros=121,29 check=150,150,1
expect_idle
