# SPDX-License-Identifier: GPL-2.0
# TEST: discarded pages read as zeros, also after a reload, and no other page is touched
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,1024,1
blkdiscard -f -o 40960 -l 1M /dev/farmem0
expect_equal 256 "$(counter zero_pages)" "zero pages"
farmem-pages /dev/farmem0 check=0,10,1 zeros=10,256 check=266,758,1
reload 16M
expect_equal 256 "$(counter zero_pages)" "zero pages after the reload"
farmem-pages /dev/farmem0 check=0,10,1 zeros=10,256 check=266,758,1
expect_equal 256 "$(counter zero_reads)" "pages of zeros served without the network"
# All of it, larger than any single request.
blkdiscard -f /dev/farmem0
farmem-pages /dev/farmem0 zeros=0,4096
reload 16M
farmem-pages /dev/farmem0 zeros=0,4096
expect_idle
