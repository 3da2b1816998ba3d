# SPDX-License-Identifier: GPL-2.0
# TEST: a volume is refused when the server came back with other memory, until it is created anew
. "$FARMEM_TESTS/vm/cases.sh"

stale="the server no longer has this volume's data (it was released there, the server restarted without its pool, or another client of this name has used it since); delete the volume and create it anew"

serve
load
make_session s reconnect_delay=0
make_volume v session=s size=32M
power_on sessions/s
power_on volumes/v
put_data
generation=$(value sessions/s generation)
stop_farmemd KILL
wait_for 20 failed s
power_off volumes/v
power_off sessions/s
serve
power_on sessions/s
[[ $(value sessions/s generation) != "$generation" ]] || die "the generation is the same"
expect_refusal "$stale" volumes/v
expect_log "volume v: the server refuses: $stale"
expect_log '(-116)'
expect_equal 0 "$(farmemctl server show --json | jq '.server[0].lent')" "memory lent"

uuid=$(value volumes/v uuid)
rmdir $CONFIG/volumes/v
make_volume v session=s size=32M
power_on volumes/v
expect_equal "$uuid" "$(value volumes/v uuid)" "UUID"
zeros /dev/farmem0 2097152 || die "the new memory is not zeros"
all_off
