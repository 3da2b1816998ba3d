# SPDX-License-Identifier: GPL-2.0
# TEST: a session that was a server's, and is this machine's now, sends no heartbeat to where that server was
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing

others_beat_twice() {
	(($(grep -c 'workqueue_execute_end: .*beat_work' "$trace/trace") >= 2))
}

serve
modprobe farmem
make_session s "server=$FARMEM_SERVER" heartbeat=1
power_on sessions/s
wait_for 20 live s
power_off sessions/s
set_value sessions/s server local
power_on sessions/s
wait_for 20 live s
# Nothing is to happen. A beat would have been sent before a second one of a session
# that came later, and be a report in the kernel log.
make_session later "server=$FARMEM_SERVER" heartbeat=1 client=later
power_on sessions/later
echo 1 >$trace/events/workqueue/workqueue_execute_end/enable
wait_for 30 others_beat_twice
live s || die "the session is not live any more: $(value sessions/s reason)"
echo 0 >$trace/events/workqueue/workqueue_execute_end/enable
all_off
