# SPDX-License-Identifier: GPL-2.0
# TEST: of discarded pages those written since hold the data after a reload, the others zeros
. "$FARMEM_TESTS/vm/cases.sh"

compare() {
	farmem-pages /dev/farmem0 check=0,100,1 zeros=100,50 check=150,30,2 zeros=180,20 \
		check=200,1,3 zeros=201,1 check=202,1,3 zeros=203,197 check=400,100,1
}

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,500,1
blkdiscard -f -o 409600 -l 1200k /dev/farmem0	# pages 100 to 399
farmem-pages /dev/farmem0 write=150,30,2 write=200,1,3 write=202,1,3
compare
reload 16M
compare
# And discarded once more: no state is left from the first time.
blkdiscard -f -o 614400 -l 40k /dev/farmem0	# 150 to 159
farmem-pages /dev/farmem0 write=155,1,4
reload 16M
farmem-pages /dev/farmem0 zeros=140,15 check=155,1,4 zeros=156,4 check=160,20,2
expect_idle
