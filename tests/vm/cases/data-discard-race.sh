# SPDX-License-Identifier: GPL-2.0
# TEST: after writes, discards and zeroing of the same pages at once, a reload changes nothing of what is read
# DEBUG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
for round in 1 2; do
	# What waits to be posted is overtaken by what other CPUs post.
	((round == 1)) || set_fault fail_post 3
	farmem-pages /dev/farmem0 race=0,64,250
	expect_idle
	dd if=/dev/farmem0 of=/tmp/before bs=64k count=8 iflag=direct status=none
	zeros=$(counter zero_pages)
	reload 16M
	dd if=/dev/farmem0 of=/tmp/after bs=64k count=8 iflag=direct status=none
	cmp /tmp/before /tmp/after || die "round $round: the reload changed what is read"
	expect_equal "$zeros" "$(counter zero_pages)" "zero pages in round $round"
done
