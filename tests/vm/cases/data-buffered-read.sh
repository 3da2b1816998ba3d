# SPDX-License-Identifier: GPL-2.0
# TEST: what is read ahead through the page cache comes in large pieces, not page by page
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,1024,1
before=$(counter reads)
dd if=/dev/farmem0 of=/dev/null bs=1M count=4 status=none
reads=$(($(counter reads) - before))
((reads <= 256)) || die "$reads requests for 1024 pages"
expect_at_least 1 "$reads" "reads"
expect_idle
