# SPDX-License-Identifier: GPL-2.0
# TEST: every change of a session's or a volume's state is a uevent, and farmemctl monitor prints it
. "$FARMEM_TESTS/vm/cases.sh"

seen() { grep -q -- "$1" /tmp/monitor.log; }

serve
load
make_session s reconnect_delay=0
make_volume v session=s size=32M
farmemctl monitor --json >/tmp/monitor.log 2>/tmp/monitor.err &
monitor=$!
# It is listening when a change is printed.
for _ in {1..50}; do
	power_on sessions/s
	power_off sessions/s
	! seen down || break
done
: >/tmp/monitor.log
power_on sessions/s
power_on volumes/v
stop_farmemd
wait_for 10 seen '"object":"volume"'
wait_for 10 seen '"new":"failed"'
power_off volumes/v
power_off sessions/s
closing() { seen '"old":"closing".*"new":"down"'; }
wait_for 10 closing
expect_equal 'session s down connecting
session s connecting live
session s live failed
session s failed closing
session s closing down' "$(jq -r 'select(.object == "session") | "\(.object) \(.name) \(.old) \(.new)"' /tmp/monitor.log)" \
	"changes of the session"
kill -TERM $monitor
wait $monitor || die "monitor: status $?: $(</tmp/monitor.err)"
all_off
