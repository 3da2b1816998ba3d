# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What contenders and works share, in the guest. To be sourced by guest.sh.
#
# A contender, contenders/NAME.sh, defines
#   start            brings it up and prints its block device, nothing else
#   stop             takes it down again
# or, if it is no block device and prints none, also
#   measure          calls wire for each of the works that it can do itself
# A work, works/NAME.sh, defines
#   work DISK        measures and calls record
# Head lines "# KERNELS:", "# MODES:", "# WORKS:" (of contenders) and
# "# CONTENDERS:" (of works) say where one takes part: words, globs, all of
# them unless told. "# LAST: why" puts it behind the others, "# FAST: why" (of
# contenders) keeps its fio runs from being too short.

set -Eeuo pipefail
# shellcheck source=tests/vm/lib.sh
. "$FARMEM_TESTS/vm/lib.sh"

SIZE_MIB=$BENCH_MIB
# Swap is measured in a cgroup half as large as the memory that is used.
SWAP_MIB=$((SIZE_MIB / 2))
CGROUP_MIB=$((SWAP_MIB / 2))
MEMORY_PROGRAM=$BENCH_PROGRAMS/bench-memory
# Emulation alone can take long: this is for what hangs.
CONNECT_TIMEOUT=60
# Options of fio's about what it writes; random data without.
FIO_DATA=()

# record VALUE [UNIT [WHAT]] - of the contender and work at hand; less is better.
record() {
	local name=$WORK${3:+.$3} unit=${2:-$BENCH_UNIT}

	[[ $1 =~ ^[0-9]+(\.[0-9]+)?$ ]] || die "$CONTENDER, $name: '$1' is no figure"
	printf '%s\t%s\t%s\t%s\n' "$CONTENDER" "$name" "$1" "$unit" >>"$RESULTS/records"
	printf '    %-28s %12s %s\n' "$name" "$1" "$unit"
}

# wire WORK CMD... - records what CMD prints, if WORK is asked for.
wire() {
	local value

	asked_for "$1" || return 0
	WORK=$1
	# By itself, for a failure in there to end this as well.
	value=$("${@:2}")
	record "$value"
}

# asked_for WORK - of the contender at hand: by itself, or as CONTENDER:WORK.
asked_for() {
	# shellcheck disable=SC2153 # guest.sh sets it
	matches "$1" "$WORKS" || matches "$CONTENDER:$1" "$WORKS"
}

# matches NAME GLOBS - does one of the globs match?
matches() {
	local glob globs

	read -ra globs <<<"$2"
	for glob in "${globs[@]}"; do
		# shellcheck disable=SC2053 # a glob
		[[ $1 != $glob ]] || return 0
	done
	return 1
}

# quotient A B - with a digit after the point.
quotient() {
	awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f\n", a / b }'
}

# fewer N - N, or less of it when the run shall be quick.
fewer() {
	echo $(($1 / BENCH_SHORTER))
}

# ios N - the same for I/Os of fio, whose run times are in milliseconds: on disks so
# fast that these would show, never less than N.
ios() {
	if [[ -n ${FAST-} ]]; then
		echo "$1"
	else
		fewer "$1"
	fi
}

# What is read shall have been written, and not be zeros; nor shall swap have freed
# it since: thin disks, farmem among them, need no I/O for such pages.
prefill() {
	[[ -z ${prefilled-} ]] || return 0
	fio --name=prefill --filename="$1" --size="${SIZE_MIB}M" --direct=1 --thread \
		--rw=write --bs=128k --ioengine=psync "${FIO_DATA[@]}" --output=/tmp/prefill.out ||
		die "fio: $(</tmp/prefill.out)"
	prefilled=yes filled=yes
}

# fio_measure DISK COUNT OPTION... - the JSON of COUNT I/Os, after some to warm up.
fio_measure() {
	local disk=$1 count=$2
	shift 2

	prefill "$disk"
	fio --output-format=json --name=global --filename="$disk" --size="${SIZE_MIB}M" --io_size=1T \
		--direct=1 --thread --norandommap --group_reporting "${FIO_DATA[@]}" "$@" \
		--name=warm-up --number_ios=256 --name=measured --stonewall --number_ios="$count" \
		>/tmp/fio.json || die "fio: $(</tmp/fio.json)"
}

# fio_cost - nanoseconds of the measured job per I/O, its start and end counted.
fio_cost() {
	jq -r '.jobs[-1] | ([.read.runtime, .write.runtime] | max) * 1e6
		/ (.read.total_ios + .write.total_ios) * 10 | round / 10' /tmp/fio.json
}

# fio_latency - mean nanoseconds of an I/O of the measured job.
fio_latency() {
	jq -r '.jobs[-1] | [.read, .write][] | select(.total_ios > 0)
		| .lat_ns.mean * 10 | round / 10' /tmp/fio.json
}

# with_swap_of KIB CMD... - with swap on the disk's start that is all the swap there
# is. The whole disk was written once before: what keeps its pages has them.
with_swap_of() {
	[[ -n ${filled-} ]] || prefill "$DISK"
	mkswap -q "$DISK" "$1"
	swapon "$DISK"
	"${@:2}"
	swapoff "$DISK"
	prefilled=
}

with_swap() {
	with_swap_of $((SIZE_MIB << 10)) "$@"
}

vmstat() {
	awk -v name="$1" '$1 == name { print $2 }' /proc/vmstat
}

# faults ORDER CLUSTER - records the major faults of a program twice its cgroup.
faults() {
	local p50 p99 mean touch idle p999

	echo "$2" >/proc/sys/vm/page-cluster
	read -r p50 p99 mean touch idle p999 < <(run_in_cgroup "${CGROUP_MIB}M" \
		"$MEMORY_PROGRAM" faults "$1" "$SWAP_MIB" "$(fewer 4096)")
	record "$p50" '' p50
	record "$p99" '' p99
	record "$p999" '' p99.9
	record "$mean" '' mean
	record "$touch" '' touch
	record "$idle" ns idle
}

# program NAME SIZE - records what one of bench-programs takes in half and in a quarter of
# its memory, with the readahead that everybody has.
program() {
	local percent took idle

	# Read by its cgroup it would be reclaimed there, and come from the host again.
	cat "$BENCH_PROGRAMS/bench-programs" >/dev/null
	echo 3 >/proc/sys/vm/page-cluster
	for percent in 50 25; do
		read -r took idle < <(run_in_cgroup max "$BENCH_PROGRAMS/bench-programs" \
			"$1" "$2" "$percent")
		record "$(executed "$took" "$idle")" '' "at-$percent"
	done
}

# start_evictor - a process that swaps out without pause, and does so by now. The
# shell's word on its end is not wanted.
start_evictor() {
	local out
	out=$(vmstat pgsteal_anon)

	{ run_in_cgroup "${CGROUP_MIB}M" "$MEMORY_PROGRAM" evict "$SWAP_MIB"; } 2>/dev/null &
	evictor=$!
	wait_for 60 swapped_out $((out + (CGROUP_MIB << 8)))
}

# Not pswpout, which does not know what frontswap took.
swapped_out() {
	(($(vmstat pgsteal_anon) > $1))
}

stop_evictor() {
	pkill -x -f "$MEMORY_PROGRAM evict $SWAP_MIB"
	wait "$evictor" || true
}

# dirty - the cost of a page dirtied while another goes out. The first pass warms up:
# then the device's pages and the kernel's swap structures are there.
dirty() {
	local took pages out idle

	run_in_cgroup "${CGROUP_MIB}M" "$MEMORY_PROGRAM" dirty "$SWAP_MIB" >/dev/null
	read -r took pages out idle < <(run_in_cgroup "${CGROUP_MIB}M" \
		"$MEMORY_PROGRAM" dirty "$SWAP_MIB")
	record "$(quotient "$(executed "$took" "$idle")" "$pages")"
	record "$idle" ns idle
	record "$(quotient $((out * 100)) "$pages")" '%' pages-out
}

# idle_time - nanoseconds that all CPUs together have idled. By no program: it would
# come from the host, and while it does the guest idles. Since 7.3 only /proc/stat tells,
# in ticks of 10 ms. The list is read as a whole: read seeks back to each line's end, and
# the kernel makes the list anew, of another length perhaps.
idle_time() {
	local line lines=0 sum=0 stat timers

	mapfile -t timers </proc/timer_list
	for line in "${timers[@]}"; do
		[[ $line =~ ^\ *\.(idle|iowait)_sleeptime\ *:\ *([0-9]+)\  ]] || continue
		lines=$((lines + 1)) sum=$((sum + BASH_REMATCH[2]))
	done
	if ((!lines)); then
		read -ra stat </proc/stat
		sum=$(((stat[4] + stat[5]) * 10000000))
	fi
	echo "$sum"
}

# executed NANOSECONDS IDLE - what of them counts. With one CPU and its instructions
# counted, time leaps while it idles: nothing was executed then.
executed() {
	if [[ $BENCH_MODE != icount ]]; then
		echo "$1"
	elif (($1 >= $2)); then
		echo $(($1 - $2))
	else
		die "$CONTENDER, $WORK: $2 ns of $1 were idle"
	fi
}

# folio_size SIZE - the kernel shall use folios of that many KiB for anonymous memory,
# or none but single pages with 0.
folio_size() {
	local size

	echo never >/sys/kernel/mm/transparent_hugepage/enabled
	for size in /sys/kernel/mm/transparent_hugepage/hugepages-*kB; do
		[[ ! -e $size/enabled ]] || echo never >"$size/enabled"
	done
	(($1 == 0)) || echo always >"/sys/kernel/mm/transparent_hugepage/hugepages-$1kB/enabled"
}

# farmem_start PARAMETER... - farmem over RDMA, and prints its disk. The server lends
# LEND_MIB if that is set.
farmem_start() {
	start_farmemd --size "${LEND_MIB:-$((SIZE_MIB + 64))}M" --listen "$FARMEM_SERVER:7471" >&2
	modprobe farmem "server=$FARMEM_SERVER:7471" "size=${SIZE_MIB}M" \
		"connect_timeout=$CONNECT_TIMEOUT" "$@"
	echo /dev/farmem0
}

farmem_stop() {
	rmmod farmem
	stop_farmemd
	prefilled='' filled=''
}

# floor_start PARAMETER... - the measuring module: it lends memory and uses it.
floor_start() {
	local module=$BENCH_PROGRAMS/floor-$FARMEM_KERNEL/farmem_floor.ko at=$FARMEM_SERVER:7480
	local lend=("listen=$at" "size=${SIZE_MIB}M")

	on-memory-node modprobe -a rdma_rxe rdma_cm
	# It lends pieces of 4 MiB.
	on-memory-node sh -c 'echo 1 >/proc/sys/vm/compact_memory'
	if ((FARMEM_NODES == 2)); then
		on-memory-node insmod "$module" "${lend[@]}"
		modprobe -a rdma_rxe rdma_cm
		lend=()
	fi
	insmod "$module" "${lend[@]}" "server=$at" "$@"
}

floor_stop() {
	rmmod farmem_floor
	((FARMEM_NODES == 1)) || on-memory-node rmmod farmem_floor
}

# floor_user_start PARAMETER... - the same module, but a program lends the memory.
floor_user_start() {
	modprobe -a rdma_rxe rdma_cm
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c '
		modprobe -a rdma_rxe rdma_ucm
		setsid "$@" >/tmp/lender.log 2>&1 </dev/null &
		echo $! >/run/lender.pid' sh \
		"$BENCH_PROGRAMS/bench-lender" "$FARMEM_SERVER" 7480 "$SIZE_MIB"
	wait_for 60 on-memory-node grep -qx ready /tmp/lender.log
	insmod "$BENCH_PROGRAMS/floor-$FARMEM_KERNEL/farmem_floor.ko" \
		"server=$FARMEM_SERVER:7480" "$@"
}

floor_user_stop() {
	rmmod farmem_floor
	# shellcheck disable=SC2016
	on-memory-node sh -c 'pid=$(cat /run/lender.pid) && kill "$pid" &&
		while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done'
}
