# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Swap of the cases; cases.sh brings it along.
#
#   swap_on [OPTION...]     swap on /dev/farmem0, all of it; OPTIONs of swapon
#   run_squeezed BYTES CMD...  CMD with that memory.high: squeezed, not killed
#   killed_for_a_page STATUS   the program needed one that cannot be read
#   watch_oom               before oom_kills, and before the process starts
#   oom_kills SECONDS PID   it is killed for want of memory while the session recovers
#   memory_is_whole PID     farmem-memory with until=/tmp/stop ends, having found every byte
#   swaps_to_the_end PID    that, and swapoff

swap_on() {
	mkswap -q /dev/farmem0
	swapon "$@" /dev/farmem0
}

# A few huge pages under writeback fill a small cgroup, and a memory.max then
# kills: nvme-rdma's swap sees that as well.
run_squeezed() {
	# shellcheck disable=SC2016 # the inner shell's arguments
	run_in_cgroup max sh -c 'echo "$0" >"/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/memory.high" &&
		exec "$@"' "$@"
}

# A signal whose frame cannot be put on the stack, which is lost as well, is SIGSEGV.
killed_for_a_page() {
	(($1 == 128 + 7 || $1 == 128 + 9 || $1 == 128 + 11))
}

ended() { ! kill -0 "$1" 2>/dev/null; }

# Of the OOM killer's victims since boot. Not from the log: 5.10 says "Write-error on
# swap-device" so often there that it runs over.
oom_count() {
	awk '$1 == "oom_kill" { print $2 }' /proc/vmstat
}

watch_oom() {
	oom_before=$(oom_count)
}

oom_kills() {
	local status=0

	wait_for "$1" ended "$2"
	wait "$2" || status=$?
	expect_equal 137 $status "status of the OOM killer's victim"
	expect_at_least $((${oom_before:?watch_oom was not called} + 1)) "$(oom_count)" "victims of the OOM killer"
	recovering || die "that was not while the session recovered"
}

memory_is_whole() {
	: >/tmp/stop
	within 120 tail --pid="$1" -f /dev/null
	wait "$1" || die "the program that swapped found a wrong byte, or was killed"
}

swaps_to_the_end() {
	memory_is_whole "$1"
	within 60 swapoff /dev/farmem0
}
