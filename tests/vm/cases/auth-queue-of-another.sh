# SPDX-License-Identifier: GPL-2.0
# TEST: nobody connects a queue to another client's session, neither with the token of its own nor with none of the key
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A" "beta $KEY_B"
serve --keys /tmp/server.keys --insecure
stdbuf -oL farmem-peer -n alpha -i 77 -q 4 -k "$KEY_A" "$FARMEM_SERVER" 7471 connect hello gone=40000 \
	queue=3 >/tmp/alpha.log 2>&1 &
alpha=$!
alpha_said() { grep -qF "$1" /tmp/alpha.log; }
wait_for 30 alpha_said ' proved'

# foreign ARG... - whatever the client, queue 1 of alpha's session is not its
foreign() {
	peer -q 4 "$@" "$FARMEM_SERVER" 7471 connect hello queue=1 as=alpha,77 queue=1 queue=2
	peer_said 30 'welcome reason=0'
	peer_said 30 'queue 1 connected'
	peer_said 30 'queue 1 rejected 4 '
	peer_said 30 'queue 2 rejected 4 '
	wait "$peer_pid"
}

foreign -n beta -i 78 -k "$KEY_B"
foreign -n gamma -i 79
foreign -n delta -i 77
# Without a session of its own.
peer -n alpha -i 77 -q 4 "$FARMEM_SERVER" 7471 queue=1
peer_said 30 'queue 1 rejected '
wait "$peer_pid"
expect_text 'refused: queue 1 of an unknown session' "$(farmemd_log)" "farmemd's log"
kill -0 $alpha || die "alpha has ended too soon for this: $(</tmp/alpha.log)"
wait $alpha
! alpha_said disconnected || die "alpha was thrown out"
alpha_said 'queue 3 connected' || die "alpha: $(</tmp/alpha.log)"
