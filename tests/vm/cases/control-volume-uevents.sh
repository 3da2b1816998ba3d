# SPDX-License-Identifier: GPL-2.0
# TEST: farmemctl monitor prints a volume's going on and off, not only its failing
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

seen() { grep -q -- "$1" /tmp/monitor.log; }

load
make_session s server=local
make_volume v session=s size=2M
farmemctl monitor --json >/tmp/monitor.log 2>/tmp/monitor.err &
for _ in {1..50}; do
	power_on sessions/s
	! seen live || break
	power_off sessions/s
done
power_on volumes/v
wait_for 5 seen '"name":"v","old":"off","new":"live"'
power_off volumes/v
wait_for 5 seen '"name":"v","old":"live","new":"off"'
all_off
