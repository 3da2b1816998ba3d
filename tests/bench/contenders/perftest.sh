# SPDX-License-Identifier: GPL-2.0
# RDMA from user space: perftest's programs. They poll, with no kernel between,
# and the write latency test polls memory: a single CPU has no use for that.

start() {
	:
}

stop() {
	:
}

# pair PROGRAM OPTION... - runs its server and its client; prints the client's table.
# Its server listens a while after its start, and says so to nobody.
pair() {
	local server

	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c '"$@" >/dev/null 2>&1 & echo $!' server "$@" >/tmp/perftest.pid
	server=$(</tmp/perftest.pid)
	for _ in {1..50}; do
		sleep 0.2
		! "$@" "$FARMEM_SERVER" >/tmp/perftest.out 2>&1 || break
	done
	on-memory-node kill "$server" 2>/dev/null || true
	grep -A 1 '^ *#bytes' /tmp/perftest.out | tail -n 1
}

# Microseconds of the typical round trip.
latency() {
	pair ib_read_lat -d "$FARMEM_RDMADEV" -F -s 4096 -n "$(fewer 4096)" |
		awk '{ printf "%.1f\n", $5 * 1000 }'
}

# Millions of messages a second.
rate() {
	pair "$1" -d "$FARMEM_RDMADEV" -F -s "$2" -t 32 -n "$(fewer 4096)" |
		awk '{ printf "%.1f\n", 1000 / $5 }'
}

measure() {
	wire read-4k-1 latency
	wire read-4k-32 rate ib_read_bw 4096
	wire write-4k-32 rate ib_write_bw 4096
	wire read-128k rate ib_read_bw 131072
	wire write-128k rate ib_write_bw 131072
}
