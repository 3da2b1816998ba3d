# SPDX-License-Identifier: GPL-2.0
# TEST: a server that says it is working is not given up, however long it takes, nor by a command that waits behind a request that was given up; Ctrl-C is heard meanwhile, and others wait no longer for the session than for a silent server
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# said N WHAT - by the server, so often
said() {
	(($(grep -cx "$2" /tmp/fake.log) >= $1))
}

asked() { [[ $(value sessions/default volumes) == 2 ]]; }
over() { ! kill -0 "$asker" 2>/dev/null; }

# The first grant takes more than twice the time that a silent server is given; before
# the second come more messages than there are receives.
fake_server grant.working=18 regions=2 , grant.working=14 regions=2 , regions=2 grant.part=0 , \
	grant.working=100 regions=2
load
make_session default connect_timeout=8 heartbeat=0
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
power_on volumes/second
said 2 worked || die "the server answered before it had worked"
expect_equal live "$(value sessions/default state)" "state"
power_off volumes/second
check_data

# It has a handler: not killed, but told.
farmemctl volume create third --session default --size 2M &
asker=$!
wait_for 20 said 4 open
kill -TERM $asker
wait_for 20 over
[[ ! -e $CONFIG/volumes/third ]] || die "what was being created is there"
check_data

# Another command that wants the session waits no longer than for a silent server.
make_volume fourth session=default size=2M
echo 1 >"$CONFIG/volumes/fourth/power" &
asker=$!
wait_for 20 asked
in_time 40 power_off volumes/first
wait_for 20 over
expect_text 'other commands wait for the session' "$(value volumes/fourth reason)" "reason"
in_time 60 all_off
