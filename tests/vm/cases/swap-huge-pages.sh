# SPDX-License-Identifier: GPL-2.0
# TEST: a program of transparent huge pages, twice the memory of its cgroup, keeps its contents
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

swapped_huge() {
	awk '$1 == "thp_swpout" { print $2 }' /proc/vmstat
}

echo always >/sys/kernel/mm/transparent_hugepage/enabled
serve
load_volume 48M
swap_on
before=$(swapped_huge)
for option in '' -H; do
	# shellcheck disable=SC2086 # none or one
	run_squeezed 14M farmem-memory $option 28 fill random
	echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
done
swapoff /dev/farmem0
expect_at_least $((before + 4)) "$(swapped_huge)" "huge pages swapped out whole"
expect_idle
