# SPDX-License-Identifier: GPL-2.0
# As many at once as there are CPUs: fio's reads and writes, and programs that
# fault, the latter also while another one swaps out. Per I/O and fault of all.
# CONTENDERS: brd nvme-rdma farmem
# MODES: icount-4 wall wall-1

jobs=$(nproc)

fio_on_all() {
	fio_measure "$1" "$(fewer 8192)" --rw="rand$2" --bs=4k --ioengine=io_uring \
		--iodepth=32 --numjobs="$jobs"
	record "$(fio_cost)" '' "$2-$jobs"
}

# Each with an equal share of the memory and of the swap.
fault_on_all() {
	local job mib=$((SWAP_MIB / jobs)) pids=()

	for ((job = 0; job < jobs; job++)); do
		run_in_cgroup "$((mib / 2))M" "$MEMORY_PROGRAM" faults random "$mib" \
			"$(fewer 4096)" >"/tmp/faults.$job" &
		pids+=($!)
	done
	wait "${pids[@]}"
	record "$(cat /tmp/faults.* | awk '{ n += 1 / $3 } END { printf "%.1f\n", 1 / n }')" '' "$1-$jobs"
	rm /tmp/faults.*
}

faults_on_all() {
	echo 0 >/proc/sys/vm/page-cluster
	fault_on_all faults
	start_evictor
	fault_on_all faults-evicting
	stop_evictor
}

work() {
	fio_on_all "$1" read
	fio_on_all "$1" write
	with_swap faults_on_all
}
