# SPDX-License-Identifier: GPL-2.0
# Major faults while another process swaps out at full speed: how much the
# latency of fault-random-pc0 grows.
# CONTENDERS: brd zram nvme-rdma farmem farmem-sync farmem-via-frontswap
# LAST: swap takes the data off the disk

loaded() {
	start_evictor
	faults random 0
	stop_evictor
}

work() {
	with_swap loaded
}
