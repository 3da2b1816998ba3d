# What a case of tests/vm tells when it fails, of fake nodes.
root=$box/root
mkdir -p bin "$root"/proc/sys/kernel "$root"/sys/kernel/config/farmem/{sessions,volumes}/default \
	"$root"/sys/block/farmem0/farmem
echo compute >"$root/proc/sys/kernel/hostname"
echo 6.1.0 >"$root/proc/sys/kernel/osrelease"
printf 'processor\t: %s\n' 0 1 >"$root/proc/cpuinfo"
printf '%s: %s kB\n' MemTotal 2000000 MemFree 5 MemAvailable 1500000 >"$root/proc/meminfo"
printf '%s\n' 'Filename Type Size Used Priority' '/dev/farmem0 partition 32764 4096 -2' >"$root/proc/swaps"
for setting in sessions/default/{server=10.0.0.2:7471,state=recovering,reason=} \
	volumes/default/{session=default,size=33554432,io_deadline=-1}; do
	echo "${setting#*=}" >"$root/sys/kernel/config/farmem/${setting%%=*}"
done
echo 3 >"$root/sys/block/farmem0/farmem/parked"

# What the nodes have; the last ones' lines begin with where they ran.
for program in ip tc rdma lsblk; do
	# shellcheck disable=SC2016 # expanded in the program
	printf '%s\n' '#!/bin/sh' 'echo "${where:-here}: ${0##*/} $*"' >"bin/$program"
done
# shellcheck disable=SC2016 # expanded in the programs
printf '%s\n' '#!/bin/sh' '[ "$where" ] && echo "42 farmemd --size 64M --insecure"' >bin/pgrep
printf '%s\n' '#!/bin/sh' 'where=there exec "$@"' >bin/on-memory-node
chmod +x bin/*

# fails NODES SECONDS COMMANDS - a case of so many nodes and so much time, which ends with these.
fails() {
	cat >case.sh - <<-'EOT'
		. "$FARMEM_TESTS/vm/lib.sh"
		. "$FARMEM_TESTS/vm/failure.sh"
		set -Eeuo pipefail
		failure_watch
		trap 'status=$?; if failure_due $status; then failure_tell $status || true; fi' EXIT

		look() {
			true
			"$@"
		}

		for i in {1..20}; do
			: "round $i"
			true
		done
		cat >/dev/null <<-END
			of a document the first line will do
		END
	EOT
	echo "$3" >>case.sh
	echo "\$ $3"
	PATH=$box/bin:$PATH FAILURE_ROOT=$root FARMEM_TESTS=$repo/tests FARMEM_NODES=$1 FARMEM_NETDEV=net0 \
		FARMEM_CASE_SECONDS=$2 timeout "$2" bash case.sh >log 2>&1 </dev/null
	echo "exit $?"
	sed 's/after [0-9]* s/after N s/' log
}

fails 1 100 'exit 0'
fails 1 100 'exit 77'
fails 2 100 'look false'
fails 1 100 'look die "no good"'
rm -r "$root/sys/kernel/config/farmem" "$root/sys/block/farmem0"
fails 1 3 'sleep 20'

. "$repo/tests/vm/failure.sh"
seq 30 | failure_excerpt /dev/stdin | paste -sd ' '
{ seq 30; echo "== x.sh failed: status 1, after 3 s."; seq 40; } | failure_excerpt /dev/stdin | paste -sd ' '
