# SPDX-License-Identifier: GPL-2.0
# The CPU time of farmemd in a window in which 100,000 I/Os are done, and in one
# just as long in which none is. Of all its threads: from the scheduler's
# accounts, and user and system time as the kernel splits that, in ticks.
# CONTENDERS: farmem

# Seconds at least. farmemd wakes now and then all by itself: in a short window a
# wake-up more or less would decide.
WINDOW=30

# farmemd_file FILE - of each of its threads.
farmemd_file() {
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c 'cat /proc/"$(cat /run/farmemd.test.pid)"/task/*/"$1"' sh "$1"
}

# Nanoseconds, then user and system ticks.
cpu_time() {
	farmemd_file schedstat | awk '{ n += $1 } END { printf "%.0f ", n }'
	farmemd_file stat | sed 's/.*) //' | awk '{ u += $12; s += $13 } END { print u + 0, s + 0 }'
}

# stay SINCE MICROSECONDS - until so long after SINCE.
stay() {
	local left=$(($1 + $2 - ${EPOCHREALTIME/./}))

	((left <= 0)) || sleep "$((left / 1000000)).$(printf %06d $((left % 1000000)))"
}

# spent - of the CPU since $before.
spent() {
	local was now

	read -ra was <<<"$before"
	read -ra now < <(cpu_time)
	echo $((now[0] - was[0])) $(((now[1] - was[1]) * 1000 / HZ)) $(((now[2] - was[2]) * 1000 / HZ))
}

work() {
	local HZ start before took busy user system idle
	HZ=$(getconf CLK_TCK)

	prefill "$1"
	before=$(cpu_time) start=${EPOCHREALTIME/./}
	fio_measure "$1" 100000 --rw=randrw --bs=4k --ioengine=io_uring --iodepth=32
	stay "$start" $((WINDOW * 1000000))
	took=$((${EPOCHREALTIME/./} - start))
	read -r busy user system < <(spent)
	before=$(cpu_time)
	stay "${EPOCHREALTIME/./}" "$took"
	read -r idle _ < <(spent)
	record "$busy" ns busy
	record "$idle" ns idle
	record "$user" ms user
	record "$system" ms system
}
