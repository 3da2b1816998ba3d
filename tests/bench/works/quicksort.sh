# SPDX-License-Identifier: GPL-2.0
# A real program: quicksort of 32 MiB of numbers, in half and in a quarter of them.
# CONTENDERS: brd zram nvme-rdma farmem
# LAST: swap takes the data off the disk

work() {
	with_swap program quicksort 32
}
