# SPDX-License-Identifier: GPL-2.0
# TEST: a thousand connections that say nothing are few at a time, end by themselves, and keep nobody else out
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

# crowd ARG... - until the server has hung up on the last of them
crowd() {
	stdbuf -oL farmem-crowd "$@" >/tmp/crowd.log 2>&1 &
	crowd_pid=$!
}
crowd_said() { grep -qE "$1" /tmp/crowd.log; }
# ended - the server has hung up on all that were let in.
ended() {
	wait_for 120 crowd_said '^crowd gone'
	wait "$crowd_pid"
	[[ $(</tmp/crowd.log) =~ connected=([0-9]+)\  ]] || die "the crowd: $(</tmp/crowd.log)"
	connected=${BASH_REMATCH[1]}
	expect_text "crowd gone=$connected" "$(</tmp/crowd.log)" "the crowd"
}
# join NAME ADDR - a session comes up.
join() {
	make_session "$1" server="$2" client="$1"
	power_on "sessions/$1"
	live "$1" || die "session $1 does not come up beside the crowd"
}

serve_at "$SERVER" --listen '[fd00::1]:7471'
bystander
began=$SECONDS
crowd "$FARMEM_SERVER" 7471 1000 60000
full() { [[ $(farmemd_log) == *"no key proved yet, and a newer connection needs its place"* ]]; }
wait_for 60 full
join same "$FARMEM_SERVER:7471"
join other '[fd00::1]:7471'
wait_for 200 crowd_said '^crowd asked=1000 '
undisturbed
ended
expect_at_least 500 "$connected" "connections, one after the other"
# Ten in five seconds, however long it took.
lines=$(farmemd_log | grep -cE 'refused: |no key proved yet, and a newer')
most=$((10 * ((SECONDS - began) / 5 + 2)))
((lines <= most)) || die "$lines lines about $connected connections within $((SECONDS - began)) s"

# Such as do not even answer the server's answer.
crowd -u "$FARMEM_SERVER" 7471 20 60000
ended
# There is room again.
join third "$FARMEM_SERVER:7471"
undisturbed
verify_end
expect_idle
for session in same other third; do
	power_off sessions/$session
	rmdir "$CONFIG/sessions/$session"
done
unload
