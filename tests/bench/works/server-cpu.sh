# SPDX-License-Identifier: GPL-2.0
# The CPU time that farmemd spends while 100,000 I/Os are done, and over the
# same time while none is. Of all its threads, from the scheduler's accounts.
# CONTENDERS: farmem

cpu_time() {
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c 'cat /proc/"$(cat /run/farmemd.test.pid)"/task/*/schedstat' |
		awk '{ n += $1 } END { print n }'
}

work() {
	local before busy start took

	before=$(cpu_time) start=$EPOCHREALTIME
	fio_measure "$1" "$(fewer 100000)" --rw=randrw --bs=4k --ioengine=io_uring --iodepth=32
	took=$((${EPOCHREALTIME/./} - ${start/./}))
	busy=$(($(cpu_time) - before))
	before=$(cpu_time)
	sleep "$((took / 1000000)).$(printf %06d $((took % 1000000)))"
	record "$busy" ns busy
	record "$(($(cpu_time) - before))" ns idle
}
