# SPDX-License-Identifier: GPL-2.0
# TEST: release gives the memory back to the server; the same volume then starts from zeros
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

lent() { farmemctl server show --json | jq '.server[0].lent'; }

serve
load
make_session s reconnect_delay=0
make_volume v session=s size=32M
power_on sessions/s
power_on volumes/v
put_data
expect_equal $((32 << 20)) "$(lent)" "memory lent"
power_off volumes/v
expect_equal $((32 << 20)) "$(lent)" "memory lent while it is off"
power_on volumes/v
check_data
echo 1 >$CONFIG/volumes/v/release
expect_equal off "$(value volumes/v state)" "state"
expect_equal 0 "$(lent)" "memory lent after the release"
power_on volumes/v
zeros /dev/farmem0 2097152 || die "released memory came back with its data"
expect_error 'Invalid argument' volumes/v release 0

# With the server gone it cannot be given back, and the volume is off all the same.
stop_farmemd KILL
wait_for 20 failed s
expect_error 'Transport endpoint is not connected' volumes/v release 1
expect_text 'the server keeps the memory; release it there (farmemctl server release)' \
	"$(value volumes/v reason)" "reason"
expect_equal off "$(value volumes/v state)" "state"
all_off
