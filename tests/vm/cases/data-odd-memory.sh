# SPDX-License-Identifier: GPL-2.0
# TEST: O_DIRECT from memory aligned to 512 bytes only keeps every byte in its place
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

# Before 6.0 the kernel itself asks for memory aligned to the logical block.
serve
load_volume 16M
farmem-pages /dev/farmem0 scatter=1,200,3,512 check=1,200,3 gather=1,200,3,3584 zeros=201,40
# Three pages and two a piece: pages of the disk lie across pages of memory.
farmem-pages /dev/farmem0 scatter=1,126,4,2560,12288 check=1,126,4 gather=1,64,4,512,8192 \
	check=127,74,3 zeros=0,1
# In 7.2 a piece need not be whole blocks: three sectors each, and one each.
if [[ $FARMEM_KERNEL == newest ]]; then
	farmem-pages /dev/farmem0 scatter=1,150,5,2560,1536 check=1,150,5 gather=1,150,5,512,1536
	farmem-pages /dev/farmem0 scatter=0,50,6,512,512 check=0,50,6 gather=0,50,6,1024,512
fi
expect_idle
