# SPDX-License-Identifier: GPL-2.0
# TEST: a session that was a server's, and is this machine's now, sends no heartbeat to where that server was
. "$FARMEM_TESTS/vm/cases.sh"

serve
modprobe farmem
make_session s "server=$FARMEM_SERVER" heartbeat=1
power_on sessions/s
wait_for 20 live s
power_off sessions/s
set_value sessions/s server local
power_on sessions/s
wait_for 20 live s
# Nothing is to happen; a beat would have been sent after one second, and be a report
# in the kernel log.
sleep 3
live s || die "the session is not live any more: $(value sessions/s reason)"
power_off sessions/s
rmdir "$CONFIG/sessions/s"
unload
