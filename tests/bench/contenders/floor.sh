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

# What the ratios of works at hand are to is measured with them: see bench.jq.
need_bases() {
	[[ ${works[*]##*/} != *fault* ]] || WORKS+=' read-4k-1'
	[[ ${works[*]##*/} != *dirty* ]] || WORKS+=' write-4k-32'
	[[ ${works[*]##*/} != *scaling* ]] || WORKS+=' read-4k-1 read-4k-32 write-4k-32'
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
