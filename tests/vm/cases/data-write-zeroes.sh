# SPDX-License-Identifier: GPL-2.0
# TEST: blkdiscard -z and fallocate on the disk zero what they name, also after a reload, and no other page
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,1024,1
blkdiscard -f -z -o 40960 -l 400k /dev/farmem0	# pages 10 to 109
fallocate -z -o 819200 -l 400k /dev/farmem0	# 200 to 299
fallocate -p -n -o 1638400 -l 400k /dev/farmem0	# 400 to 499
written=$(counter write_bytes)
expect_equal $((1024 * 4096)) "$written" "bytes of data written"

compare() {
	farmem-pages /dev/farmem0 check=0,10,1 zeros=10,100 check=110,90,1 zeros=200,100 \
		check=300,100,1 zeros=400,100 check=500,524,1
}
compare
expect_equal 300 "$(counter zero_pages)" "zero pages"
reload 16M
compare
expect_idle
