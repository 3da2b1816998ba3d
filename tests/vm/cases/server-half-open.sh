# SPDX-License-Identifier: GPL-2.0
# TEST: a thousand connections that say nothing are few at a time, end by themselves, and keep nobody else out
# TIMEOUT: 300
. "$FARMEM_TESTS/vm/cases.sh"

# crowd ARG... - until the server has hung up on the last of them
crowd() {
	stdbuf -oL farmem-crowd "$@" >/tmp/crowd.log 2>&1 &
	crowd_pid=$!
}
crowd_said() { grep -qE "$1" /tmp/crowd.log; }
# ended - all that were let in have been thrown out, none had another fate.
ended() {
	wait_for 120 crowd_said '^crowd gone'
	wait "$crowd_pid"
	[[ $(</tmp/crowd.log) =~ connected=([0-9]+)\ refused=([0-9]+)\ reason=6\ failed=0 ]] ||
		die "the crowd: $(</tmp/crowd.log)"
	connected=${BASH_REMATCH[1]} refused=${BASH_REMATCH[2]}
	expect_text "crowd gone=$connected" "$(</tmp/crowd.log)" "the crowd"
}

serve_at "$SERVER" --listen '[fd00::1]:7471'
bystander
crowd "$FARMEM_SERVER" 7471 1000 60000
full() { [[ $(farmemd_log) == *"refused: 8 unfinished connections from $FARMEM_SERVER already"* ]]; }
wait_for 60 full
# Who comes from elsewhere is let in.
make_session other server='[fd00::1]:7471' client=other
power_on sessions/other
wait_for 120 crowd_said '^crowd asked=1000 '
undisturbed
ended
expect_at_least 8 "$connected" "connections at a time"
expect_at_least 500 "$refused" "connections refused"
log=$(farmemd_log)
expect_text 'session closed: no HELLO within 15 s' "$log" "farmemd's log"
expect_text 'more connections refused' "$log" "farmemd's log"
expect_at_least "$(grep -c 'refused: 8 unfinished' <<<"$log")" $((refused / 2)) "refusals that are not logged one by one"

# Such as do not even answer the server's answer.
crowd -u "$FARMEM_SERVER" 7471 20 60000
ended
expect_equal 8 "$connected" "connections at a time"
# There is room again.
make_session same client=same
power_on sessions/same
undisturbed
verify_end
expect_idle
for session in other same; do
	power_off sessions/$session
	rmdir $CONFIG/sessions/$session
done
unload
