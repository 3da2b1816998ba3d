# SPDX-License-Identifier: GPL-2.0
# TEST: a HELLO that was recorded proves nothing in another session, and a further queue needs the token of its own session
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A" "beta $KEY_A"
serve --keys /tmp/server.keys

# steps STEP... - alpha's; they end by themselves
steps() {
	peer -n alpha -q 4 -k "$KEY_A" "$FARMEM_SERVER" 7471 "$@"
	wait "$peer_pid" || true
}

steps connect hello record=/tmp/hello queue=1 queue=2,1 queue=3
peer_said 1 ' proved'
peer_said 1 'queue 1 connected'
peer_said 1 'queue 2 rejected 4'
peer_said 1 'queue 3 connected'
steps connect replay=/tmp/hello
peer_said 1 'welcome reason=9'
# Before HELLO there is no session to join; without the key there is no token.
steps connect queue=1
peer_said 1 'queue 1 rejected 4'
steps connect hello=beta
peer_said 1 'welcome reason=2'
