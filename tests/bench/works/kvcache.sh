# SPDX-License-Identifier: GPL-2.0
# A real program's accesses: an LLM that reads the caches of its prompts, 48 MiB, in pieces
# of 64 KiB to 2 MiB, in half and in a quarter of that.
# CONTENDERS: brd zram nvme-rdma farmem
# LAST: swap takes the data off the disk

work() {
	with_swap program kvcache 48
}
