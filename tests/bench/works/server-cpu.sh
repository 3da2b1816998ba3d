# SPDX-License-Identifier: GPL-2.0
# The CPU time of farmemd in a window in which 100,000 I/Os are done, and in one
# just as long in which none is: nanoseconds by the scheduler's accounts, and
# microseconds of user and system time by its cgroup's. Counted, medians of five pairs.
# CONTENDERS: farmem

# Seconds at least. farmemd wakes now and then all by itself: in a short window a
# wake-up more or less would decide.
WINDOW=30

# on_server SCRIPT - with farmemd's pid in $pid.
on_server() {
	on-memory-node sh -c "read -r pid </run/farmemd.test.pid && $1"
}

# Nanoseconds of all its threads, then user and system microseconds.
# shellcheck disable=SC2016 # expanded on the memory node
cpu_time() {
	on_server 'cat /proc/$pid/task/*/schedstat' | awk '{ n += $1 } END { printf "%.0f ", n }'
	on_server 'cat /sys/fs/cgroup/bench-server/cpu.stat' |
		awk '/^(user|system)_usec / { print $2 }' | tr '\n' ' '
	echo
}

# stay SINCE MICROSECONDS - until so long after SINCE.
stay() {
	local left=$(($1 + $2 - ${EPOCHREALTIME/./}))

	((left <= 0)) || sleep "$((left / 1000000)).$(printf %06d $((left % 1000000)))"
}

# spent NAME - of the CPU since $before: a line in /tmp/spent.NAME.
spent() {
	local was now

	read -ra was <<<"$before"
	read -ra now < <(cpu_time)
	echo $((now[0] - was[0])) $((now[1] - was[1])) $((now[2] - was[2])) >>"/tmp/spent.$1"
}

# median NAME COLUMN
median() {
	awk -v column="$2" '{ print $column }' "/tmp/spent.$1" | sort -n |
		awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}

pair() {
	local start before took

	before=$(cpu_time) start=${EPOCHREALTIME/./}
	fio_measure "$DISK" 100000 --rw=randrw --bs=4k --ioengine=io_uring --iodepth=32
	stay "$start" $((WINDOW * 1000000))
	took=$((${EPOCHREALTIME/./} - start))
	spent busy
	before=$(cpu_time)
	stay "${EPOCHREALTIME/./}" "$took"
	spent idle
}

# shellcheck disable=SC2016 # expanded on the memory node
work() {
	local round rounds=1

	[[ $BENCH_MODE != icount ]] || rounds=$(fewer 5)
	prefill "$DISK"
	on_server 'mkdir -p /sys/fs/cgroup/bench-server && echo $pid >/sys/fs/cgroup/bench-server/cgroup.procs'
	rm -f /tmp/spent.*
	for ((round = 0; round < rounds; round++)); do
		pair
	done
	record "$(median busy 1)" ns busy
	record "$(median idle 1)" ns idle
	record "$(median busy 2)" us user
	record "$(median busy 3)" us system
	record "$(median idle 2)" us user-idle
	record "$(median idle 3)" us system-idle
}
