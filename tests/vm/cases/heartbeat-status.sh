# SPDX-License-Identifier: GPL-2.0
# TEST: a client heeds the server's status page: its pressure is shown, other memory or a server that shuts down ends the session
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pressed() { [[ $(value sessions/s server_pressure) == 12.34 ]]; }

load
make_session s heartbeat=1 reconnect_delay=0
fake_server status.pressure=1234
power_on sessions/s
wait_for 20 pressed
expect_equal live "$(value sessions/s state)" "state of the session"
power_off sessions/s

# ends STATUS REASON
ends() {
	fake_server "$1"
	power_on sessions/s
	wait_for 20 failed s
	expect_equal "$2" "$(value sessions/s reason)" "reason"
	power_off sessions/s
}

ends status.generation=5 'the server has other memory than before'
ends status.flags=1 'the server is shutting down'
rmdir "$CONFIG/sessions/s"
unload
