# SPDX-License-Identifier: GPL-2.0
# A real program: memcached with 32 MiB of values, under a Zipf load of one client, in half
# and in a quarter of its memory.
# CONTENDERS: brd zram nvme-rdma farmem
# LAST: swap takes the data off the disk

KEYS=32768
SOCKET=/tmp/memcached.sock

# start_memcached GROUP - in a cgroup of its own, which the client squeezes.
start_memcached() {
	mkdir "$1"
	# shellcheck disable=SC2016 # the inner shell's own id
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$1" \
		env "LD_LIBRARY_PATH=$BENCH_MEMCACHED/lib/x86_64-linux-gnu" \
		"$BENCH_MEMCACHED/bin/memcached" -u root -t 1 -m 64 -s "$SOCKET" &
	memcached=$!
	wait_for 60 test -S "$SOCKET"
}

stop_memcached() {
	kill "$memcached"
	wait "$memcached" || true
	rm -f "$SOCKET"
	rmdir "$1"
}

kv() {
	local group=/sys/fs/cgroup/kv percent p50 p99 took idle

	# Not by its own cgroup, see program.
	cat "$BENCH_MEMCACHED"/bin/memcached "$BENCH_MEMCACHED"/lib/x86_64-linux-gnu/lib*.so.* >/dev/null
	echo 3 >/proc/sys/vm/page-cluster
	for percent in 50 25; do
		start_memcached "$group"
		read -r p50 p99 took idle < <("$BENCH_PROGRAMS/bench-kv" "$SOCKET" "$group" \
			"$KEYS" "$(fewer 20000)" "$percent")
		stop_memcached "$group"
		record "$(executed "$took" "$idle")" '' "at-$percent"
		record "$p50" '' "at-$percent-p50"
		record "$p99" '' "at-$percent-p99"
	done
}

work() {
	with_swap kv
}
