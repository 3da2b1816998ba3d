# SPDX-License-Identifier: GPL-2.0
# A real program: breadth-first search on a Kronecker graph of 131,072 vertices, in half and
# in a quarter of its memory.
# CONTENDERS: brd zram nvme-rdma farmem
# LAST: swap takes the data off the disk

work() {
	with_swap program graph 17
}
