# SPDX-License-Identifier: GPL-2.0
# TEST: a client that has not proved the key neither fences nor disturbs the live client of that name, even if told to take over
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A" "beta $KEY_A"
put_keys /tmp/client.keys "alpha $KEY_A"
serve --keys /tmp/server.keys
load_volume 32M client=alpha key=/tmp/client.keys
put_data
# The same incarnation, which is no secret, comes back: only with the key.
stdbuf -oL farmem-peer -n beta -i 77 -k "$KEY_A" "$FARMEM_SERVER" 7471 connect hello gone=20000 \
	>/tmp/beta.log 2>&1 &
beta=$!
beta_in() { grep -q ' proved' /tmp/beta.log; }
wait_for 30 beta_in

# turned_away ARG... - a stranger with these is, and nobody notices
turned_away() {
	peer "$@" "$FARMEM_SERVER" 7471 connect hello gone=20000
	peer_said 30 'welcome reason=9'
	peer_said 30 disconnected
	wait "$peer_pid" || true
}

turned_away -n alpha -t -i 4242
turned_away -n alpha -t -i 4242 -k "$KEY_B"
turned_away -n alpha -i 4242
turned_away -n beta -i 77
turned_away -n beta -i 77 -k "$KEY_B"
wait $beta || true
expect_text 'still connected' "$(</tmp/beta.log)" "beta"
# One that never says its name.
peer -n alpha -t -i 4242 "$FARMEM_SERVER" 7471 connect gone=60000
peer_said 60 disconnected
expect_text 'no HELLO within' "$(farmemd_log)" "farmemd's log"
[[ $(farmemd_log) != *'sign of life'* ]] || die "the client was asked for a sign of life"
expect_no_log 'session default failed'
expect_equal live "$(value sessions/default state)" "state"
check_data

# A client that has the key, may.
peer -n alpha -t -i 4242 -k "$KEY_A" "$FARMEM_SERVER" 7471 connect hello sleep=60000
peer_said 30 ' proved'
wait_for 20 recovering
end_process -KILL "$peer_pid"
wait_for 60 live
unload
