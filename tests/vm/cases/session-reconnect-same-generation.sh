# SPDX-License-Identifier: GPL-2.0
# TEST: a failed session powered off and on again finds its data where the memory is the same
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
make_session s client=twin reconnect_delay=0
make_volume v session=s size=32M
power_on sessions/s
power_on volumes/v
put_data
generation=$(value sessions/s generation)

# A namesake throws it out, and goes.
peer -n twin -i 4242 -t "$FARMEM_SERVER" 7471 connect hello
peer_said 20 welcome
wait_for 10 failed s
wait "$peer_pid" || true
expect_equal failed "$(value volumes/v state)" "state of the volume"
expect_error 'Device or resource busy' sessions/s power 1
expect_error 'Device or resource busy' sessions/s power 0

power_off volumes/v
power_on sessions/s
expect_equal "$generation" "$(value sessions/s generation)" "generation"
power_on volumes/v
check_data
expect_equal live "$(value volumes/v state)" "state of the volume"
expect_equal '' "$(value sessions/s reason)" "reason once it is live"
all_off
