# SPDX-License-Identifier: GPL-2.0
# The floor: READs and WRITEs posted and reaped in the kernel, and nothing else.
# Of the two ways to reap, the better one counts.

start() {
	floor_start
}

stop() {
	floor_stop
}

# once KEY=VALUE... - nanoseconds an operation.
once() {
	echo "$*" >/sys/kernel/debug/farmem-floor/run
	cut -d ' ' -f 3 /sys/kernel/debug/farmem-floor/result
}

better() {
	local poll softirq

	poll=$(once "$@" reap=poll)
	softirq=$(once "$@" reap=softirq)
	echo $((poll < softirq ? poll : softirq))
}

# need_bases - what the ratios of the works at hand are to is measured with them.
need_bases() {
	# shellcheck disable=SC2154 # guest.sh has them
	WORKS+=" $(basename -s .sh "${works[@]}" |
		sed 's/^scaling$/scaling.read\nscaling.write\nscaling.faults/' |
		jq -rR -L "$FARMEM_TESTS/bench" 'include "bench"; floor_work // empty' | tr '\n' ' ')"
}

measure() {
	local op

	need_bases
	for op in read write; do
		wire "$op-4k-1" better "op=$op" depth=1 "count=$(fewer 8192)"
		wire "$op-4k-32" better "op=$op" depth=32 "count=$(fewer 16384)"
		wire "$op-128k" better "op=$op" depth=8 bytes=131072 "count=$(fewer 1024)"
	done
	wire write-4k-32-signal-8 better op=write depth=32 signal=8 "count=$(fewer 16384)"
}
