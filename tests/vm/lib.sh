# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For scripts that run in a guest:  . "$FARMEM_TESTS/vm/lib.sh"
#
#   die TEXT...               fail, saying why and where
#   stack                     where it is called, and from where: to standard error
#   skip TEXT...              end as skipped (status 77), saying why
#   wait_for SECONDS CMD...   until CMD succeeds; fails when time runs out
#   expect_fail CMD...        CMD must fail, and not by a signal
#   start_farmemd ARG...      farmemd ARG... on the memory node, ready; --insecure too, unless
#                             ARG has --keys
#   stop_farmemd [SIGNAL]     ends it (TERM) and waits until it is gone
#   farmemd_log               what it has written
#   run_in_cgroup BYTES CMD...  CMD with that memory.max (512M, 1G, ... will do)
#   pause_memory_node, continue_memory_node   all of it, as by its QEMU's user
#   mark_dmesg, dmesg_since   the kernel log from the mark on
#
# Also there: on-memory-node CMD..., a program on PATH, and the variables
# FARMEM_SERVER FARMEM_NETDEV FARMEM_RDMADEV FARMEM_NODES FARMEM_KERNEL RESULTS.

# shellcheck source=tests/vm/pause.sh
. "$FARMEM_TESTS/vm/pause.sh"

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	stack
	exit 1
}

stack() {
	local i

	for ((i = 1; i < ${#FUNCNAME[@]}; i++)); do
		[[ ${FUNCNAME[i]} == die ]] || printf '  at %s:%s, in %s\n' \
			"${BASH_SOURCE[i]##*/}" "${BASH_LINENO[i - 1]}" "${FUNCNAME[i]}"
	done >&2
}

skip() {
	printf '%s\n' "$*"
	exit 77
}

# All limits are for the kernels of the matrix: the debug kernel has more time.
: "${FARMEM_SLOWNESS:=1}"

# Where instructions are counted time leaps whenever the guest idles, be it for a
# file of the host: so not before it has tried that often. On the debug kernel no more
# often than elsewhere: one try takes long there.
wait_for() {
	local limit=$(($1 * FARMEM_SLOWNESS))
	local deadline=$((SECONDS + limit + 1)) tries=$(($1 * 10))
	shift

	until "$@" >/dev/null 2>&1; do
		((tries-- > 0 || SECONDS < deadline)) || {
			printf 'timed out waiting for: %s\n' "$*" >&2
			return 1
		}
		pause 0.1
	done
}

expect_fail() {
	local status=0

	"$@" || status=$?
	((status != 0)) || die "should have failed: $*"
	((status < 128)) || die "died of signal $((status - 128)): $*"
}

# With one node it takes no program to get there: under emulation every start of
# one counts.
if ((FARMEM_NODES == 1)); then
	on-memory-node() { "$@"; }
fi

# The daemon's output goes to a file of its own, lest an earlier one's look ready,
# and it gets a session of its own, so that the command that starts it can end.
start_farmemd() {
	[[ " $* " == *" --keys "* ]] || set -- --insecure "$@"
	# shellcheck disable=SC2016 # expanded on the memory node
	on-memory-node sh -c '
		setsid farmemd "$@" >/tmp/farmemd.log 2>&1 </dev/null &
		echo $! >/run/farmemd.test.pid' farmemd "$@"
	wait_for 30 farmemd_settled
	farmemd_runs || {
		farmemd_log >&2
		die "farmemd $* did not start: its output is above"
	}
}

farmemd_runs() {
	# shellcheck disable=SC2016
	on-memory-node sh -c 'read -r pid </run/farmemd.test.pid && kill -0 "$pid"' 2>/dev/null
}

# Says so, or has died already.
farmemd_settled() {
	# shellcheck disable=SC2016
	on-memory-node sh -c 'read -r pid </run/farmemd.test.pid
		grep -qiw ready /tmp/farmemd.log || ! kill -0 "$pid"' >/dev/null 2>&1
}

farmemd_gone() {
	! farmemd_runs
}

stop_farmemd() {
	# shellcheck disable=SC2016
	on-memory-node sh -c 'kill -"$1" "$(cat /run/farmemd.test.pid)"' sh "${1:-TERM}" ||
		die "farmemd was not running"
	wait_for 30 farmemd_gone
}

farmemd_log() {
	on-memory-node cat /tmp/farmemd.log
}

run_in_cgroup() {
	local bytes=$1 group=/sys/fs/cgroup/test.$BASHPID status=0
	shift

	mkdir "$group"
	echo "$bytes" >"$group/memory.max"
	# shellcheck disable=SC2016 # the inner shell's own id
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@" || status=$?
	rmdir "$group" 2>/dev/null || true
	return "$status"
}

# run looks for these orders, and takes each away when it is done.
signal_memory_node() {
	((FARMEM_NODES == 2)) || die "there is no other node to pause"
	echo "$1" >"$RESULTS/memory-node.new"
	mv "$RESULTS/memory-node.new" "$RESULTS/memory-node"
	wait_for 30 test ! -e "$RESULTS/memory-node"
}

pause_memory_node() {
	signal_memory_node STOP
}

continue_memory_node() {
	signal_memory_node CONT
}

# mark_dmesg [CASE] - where dmesg_since begins. CASE is for a reader of a whole boot's log.
mark_dmesg() {
	dmesg_mark="farmem-mark ${1:-} $BASHPID $EPOCHREALTIME"
	echo "$dmesg_mark" >/dev/kmsg
}

dmesg_since() {
	dmesg -S | from_mark
}

# Of a log that has run over, where the mark was, all that is there has come since.
from_mark() {
	awk -v mark="${dmesg_mark:?mark_dmesg was not called}" '
		index($0, mark) { n = 0; next }
		{ line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }'
}
