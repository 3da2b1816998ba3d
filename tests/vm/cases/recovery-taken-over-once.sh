# SPDX-License-Identifier: GPL-2.0
# TEST: takeover=1 counts for a session's first connection: one that was taken over from does not take over again
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

refused() { [[ $(value sessions/first reason) == *"another live client uses this name"* ]]; }

serve
load
make_session first client=twin takeover=1 reconnect_max=1
power_on sessions/first
peer -n twin -i 4242 -t "$FARMEM_SERVER" 7471 connect hello gone=60000
peer_said 20 welcome
wait_for 60 refused || die "the first one was not refused: has it taken over again?"
kill -0 "$peer_pid" || die "the second one has lost its session: $(<"$PEER_LOG")"
end_process "$peer_pid"
wait_for 60 live first
power_off sessions/first
rmdir "$CONFIG/sessions/first"
unload
