# SPDX-License-Identifier: GPL-2.0
# Major faults while another process swaps out at full speed: how much the
# latency of fault-random-pc0 grows.
# CONTENDERS: brd zram nvme-rdma farmem farmem-sync

# What it dirties goes out and is not wanted again.
loaded() {
	start_evictor
	wait_for 60 swapping
	faults random 0
	stop_evictor
}

swapping() {
	(($(vmstat pswpout) > out + (CGROUP_MIB << 8)))
}

work() {
	out=$(vmstat pswpout)
	with_swap loaded
}
