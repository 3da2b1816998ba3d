# SPDX-License-Identifier: GPL-2.0
# TEST: a session comes back while no uevent can be sent, and user space hears of each state, in order, when one can
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

seen() { grep -q -- "$1" /tmp/monitor.log; }

# heard OBJECT - the states that it entered, on a line.
heard() {
	jq -r "select(.object == \"$1\") | .new" /tmp/monitor.log | paste -sd ' '
}

serve --pool $pool
load
make_session s client=tester
make_volume v session=s size=32M io_deadline=-1
farmemctl monitor --json >/tmp/monitor.log 2>/tmp/monitor.err &
# It is listening when a change is printed.
for _ in {1..50}; do
	power_on sessions/s
	! seen live || break
	power_off sessions/s
done
power_on volumes/v
put_data
wait_for 10 seen '"object":"volume"'
: >/tmp/monitor.log

set_fault hold_uevent 1
stop_farmemd KILL
wait_for 30 recovering s
serve --pool $pool
wait_for 60 live s || die "the session waits for a uevent"
check_data
expect_equal '' "$(heard session)$(heard volume)" "what was told meanwhile"

set_fault hold_uevent 0
wait_for 20 seen '"object":"volume".*"new":"live"'
power_off volumes/v
power_off sessions/s
wait_for 20 seen '"new":"down"'
expect_equal 'recovering live closing down' "$(heard session)" "states of the session"
expect_equal 'recovering live off' "$(heard volume)" "states of the volume"
all_off
rm $pool
