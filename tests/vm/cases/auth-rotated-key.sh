# SPDX-License-Identifier: GPL-2.0
# TEST: a key is changed under a live session: both at the server for a while, then at the client, then the old one goes
. "$FARMEM_TESTS/vm/cases.sh"

reread() { (($(farmemd_log | grep -c "keys: $1 in /tmp/server.keys") == $2)); }
# shellcheck disable=SC2016 # expanded on the memory node
hang_up() { on-memory-node sh -c 'kill -HUP "$(cat /run/farmemd.test.pid)"'; }
back() { [[ $(dmesg_since) == *"session default: live again"* ]]; }
# A connection of somebody else's makes it reconnect, perhaps before one can look.
shake() {
	mark_dmesg
	peer -n alpha -t -i 4242 -k "$1" "$FARMEM_SERVER" 7471 connect hello
	peer_said 30 ' proved'
	wait "$peer_pid" || true
	wait_for 60 back
}

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/client.keys "alpha $KEY_A"
serve --keys /tmp/server.keys
load_volume 32M io_deadline=-1 client=alpha key=/tmp/client.keys
put_data

put_server_keys /tmp/server.keys "alpha $KEY_A" "alpha $KEY_B"
hang_up
wait_for 10 reread 2 1
shake "$KEY_B"
wait_for 60 live
put_keys /tmp/client.keys "alpha $KEY_B"
echo /tmp/client.keys >$CONFIG/sessions/default/key
put_server_keys /tmp/server.keys "alpha $KEY_B"
hang_up
wait_for 10 reread 1 2
# Nobody is thrown out for that.
expect_equal live "$(value sessions/default state)" "state"
shake "$KEY_B"
wait_for 60 live
check_data

# A file with an error changes nothing.
put_server_keys /tmp/server.keys "alpha $KEY_B"
echo "beta $KEY_A" >>/tmp/server.keys
hang_up
said() { [[ $(farmemd_log) == *"$1"* ]]; }
wait_for 10 said "keys: /tmp/server.keys:2: this is the client's own key, which no server may have"
peer -n alpha -i 4242 -k "$KEY_A" "$FARMEM_SERVER" 7471 connect hello
peer_said 30 'welcome reason=9'
wait "$peer_pid" || true
shake "$KEY_B"
wait_for 60 live
check_data
unload
