# SPDX-License-Identifier: GPL-2.0
# TEST: a program in folios of 64k, twice the memory of its cgroup, keeps its contents
# KERNELS: 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

size=/sys/kernel/mm/transparent_hugepage/hugepages-64kB

swapped() {
	cat $size/stats/swpout
}

[[ -w $size/enabled ]] || skip "this kernel has no folios of 64k"
echo never >/sys/kernel/mm/transparent_hugepage/enabled
echo always >$size/enabled
serve
load_volume 48M
swap_on
before=$(swapped)
run_squeezed 14M farmem-memory 28 fill sequential random
swapoff /dev/farmem0
expect_at_least $((before + 16)) "$(swapped)" "folios of 64k swapped out whole"
expect_idle
