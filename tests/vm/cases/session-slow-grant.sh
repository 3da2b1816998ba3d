# SPDX-License-Identifier: GPL-2.0
# TEST: a server that says it is working is not given up, however long it takes; one that goes on for a request that was given up does not end the session
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# said N WHAT - by the server, so often
said() {
	(($(grep -cx "$2" /tmp/fake.log) >= $1))
}

over() { ! kill -0 "$asker" 2>/dev/null; }

# The first grant takes more than twice the time that a silent server is given, before
# the second come more messages than there are receives.
fake_server grant.working=24 regions=2 , grant.working=20 regions=2 , regions=2
load
make_session default connect_timeout=10 heartbeat=0
make_volume first session=default size=2M
make_volume second session=default size=2M
power_on sessions/default
power_on volumes/first
put_data
check_data

echo 1 >"$CONFIG/volumes/second/power" &
asker=$!
wait_for 20 said 2 open
kill -KILL $asker
wait_for 20 over
wait_for 60 said 2 worked
check_data
expect_equal live "$(value sessions/default state)" "state"
power_on volumes/second
all_off
