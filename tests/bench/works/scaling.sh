# SPDX-License-Identifier: GPL-2.0
# As many at once as there are CPUs: fio's reads and writes, and programs that
# fault; reads and faults also while another one swaps out. Per I/O and fault of all.
# CONTENDERS: floor shell brd nvme-rdma farmem
# MODES: icount icount-2 icount-4 wall wall-1
# LAST: swap takes the data off the disk

jobs=$(nproc)
half=$((SIZE_MIB / 2))

# fio_on_all NAME OPTION...
fio_on_all() {
	fio_measure "$DISK" "$(ios $((32768 / jobs)))" --bs=4k --ioengine=io_uring \
		--iodepth=32 --numjobs="$jobs" "${@:2}"
	record "$(fio_cost)" '' "$1-$jobs"
}

# Swap has the disk's first half. The kernel lets nobody write to a disk that has
# swap on it.
fio_beside_evictor() {
	start_evictor
	fio_on_all read-evicting --rw=randread --offset="${half}M" --size="${half}M"
	stop_evictor
}

# fault_on_all NAME - each with an equal share of the memory, the swap and the faults.
# They wait for each other at a locked gate once they have filled their memory.
fault_on_all() {
	local job pid gate mib=$((SWAP_MIB / jobs)) pids=()

	export BENCH_GATE=/tmp/faults-gate
	exec {gate}>"$BENCH_GATE"
	flock "$gate"
	for ((job = 0; job < jobs; job++)); do
		run_in_cgroup "$((mib / 2))M" "$MEMORY_PROGRAM" faults random "$mib" \
			"$(fewer $((4096 / jobs)))" >"/tmp/faults.$job" &
		pids+=($!)
	done
	wait_for 600 all_at_gate
	flock -u "$gate"
	exec {gate}>&-
	# Of several at once only the last one's failure would show.
	for pid in "${pids[@]}"; do
		wait "$pid"
	done
	record "$(cat /tmp/faults.* | awk '{ n += 1 / $3 } END { printf "%.1f\n", 1 / n }')" '' "$1-$jobs"
	rm /tmp/faults.* "$BENCH_GATE"
	unset BENCH_GATE
}

all_at_gate() {
	(($(stat -c %s "$BENCH_GATE") == jobs))
}

faults_on_all() {
	echo 0 >/proc/sys/vm/page-cluster
	fault_on_all faults
	start_evictor
	fault_on_all faults-evicting
	stop_evictor
}

work() {
	fio_on_all read --rw=randread
	fio_on_all write --rw=randwrite
	with_swap_of $((half << 10)) fio_beside_evictor
	with_swap faults_on_all
}
