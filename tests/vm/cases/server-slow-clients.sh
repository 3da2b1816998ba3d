# SPDX-License-Identifier: GPL-2.0
# TEST: a client that says nothing, or never listens, is thrown out in bounded time; meanwhile others are served
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

# served - a new client comes up and is granted memory.
served() {
	make_session other client=other
	power_on sessions/other
	make_volume its session=other size=16M
	power_on volumes/its
	power_off volumes/its
	power_off sessions/other
	rmdir $CONFIG/volumes/its $CONFIG/sessions/other
	undisturbed
}

serve
bystander
peer -n mute "$FARMEM_SERVER" 7471 connect gone=60000
peer_said 30 'queue 0 connected'
served
peer_said 60 disconnected
wait "$peer_pid"
expect_text 'session closed: no HELLO within 15 s' "$(farmemd_log)" "farmemd's log"

# Slow, but not too slow.
peer -n slow "$FARMEM_SERVER" 7471 connect sleep=5000 hello
peer_said 30 'welcome reason=0'
wait "$peer_pid"

# Asks and asks, and never takes an answer.
peer -n deaf "$FARMEM_SERVER" 7471 connect hello flood=32 gone=60000
peer_said 30 'welcome reason=0'
served
peer_said 60 disconnected
wait "$peer_pid"
expect_text '(deaf): session closed: ' "$(farmemd_log)" "farmemd's log"
[[ $(farmemd_log) != *'(deaf): session closed: disconnected by the client'* ]] || die "it went by itself"
served
leave_undisturbed
