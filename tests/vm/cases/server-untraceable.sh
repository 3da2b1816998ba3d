# SPDX-License-Identifier: GPL-2.0
# TEST: only a process that may trace all others can trace farmemd; farmemd leaves no core
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# may_trace PID - may its own user, with all rights but those that open everybody's
# memory? Since 6.15 CAP_PERFMON reads it, and CAP_SYS_ADMIN is CAP_PERFMON as well.
may_trace() {
	setpriv --bounding-set -sys_ptrace,-perfmon,-sys_admin head -c 1 "/proc/$1/environ" >/tmp/environ 2>&1
}

echo /tmp/core.%p >/proc/sys/kernel/core_pattern
ulimit -c unlimited
# A program that forbids nothing, to see that both could be.
setpriv --bounding-set -all,+ipc_lock sleep 1000 &
wait_for 20 may_trace $!
kill -ABRT $!
! wait $! || die "it ended by itself"
[[ -e /tmp/core.$! ]] || die "nothing dumps core here"

serve
pid=$(cat /run/farmemd.test.pid)
! may_trace "$pid" || die "farmemd can be traced"
prlimit --pid "$pid" --core=unlimited
stop_farmemd ABRT
[[ ! -e /tmp/core.$pid ]] || die "a core, with what clients keep here in it"
