# SPDX-License-Identifier: GPL-2.0
# TEST: what a session says of its server's free memory is read from there, without a message, when another client takes some
. "$FARMEM_TESTS/vm/cases.sh"

free_is() {
	[[ $(value sessions/first server_free) == "$1" ]]
}

serve
load
make_session first client=first heartbeat=1
power_on sessions/first
expect_equal $((64 << 20)) "$(value sessions/first server_free)" "free at first"
make_session second client=second
make_volume other session=second size=32M
power_on sessions/second
power_on volumes/other
wait_for 60 free_is $((32 << 20))
expect_text . "$(value sessions/first server_pressure)" "pressure"
all_off
