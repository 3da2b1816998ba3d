# SPDX-License-Identifier: GPL-2.0
# TEST: a server hears of it when a process is killed before it has asked for memory: what the server grants is given back
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

said() {
	(($(grep -cx "$2" /tmp/fake.log) >= $1))
}

# waits PID - for the session, and not to be interrupted
waits() { grep -q farmem_session_lock_urgent "/proc/$1/stack"; }
over() { ! kill -0 "$killed" 2>/dev/null; }

# The killed process still asks for memory, and must find no answer yet when it looks.
fake_server grant.working=6 , grant.working=2 regions=1
load
make_session default connect_timeout=20 heartbeat=0
make_volume first session=default size=1M
make_volume second session=default size=1M
power_on sessions/default
echo 1 >"$CONFIG/volumes/first/power" &
wait_for 20 said 1 open
echo 1 >"$CONFIG/volumes/second/power" &
killed=$!
wait_for 20 waits $killed
kill -KILL $killed
wait_for 40 over
wait_for 20 said 2 open
wait_for 20 said 1 close
expect_equal 0 "$(value volumes/second power)" "power of the volume"
power_on volumes/second
in_time 60 all_off
