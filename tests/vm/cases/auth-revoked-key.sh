# SPDX-License-Identifier: GPL-2.0
# TEST: a client whose key is taken away goes on, is named, can be disconnected with its data kept, and comes back with its next key
. "$FARMEM_TESTS/vm/cases.sh"

# shellcheck disable=SC2016 # expanded on the memory node
hang_up() { on-memory-node sh -c 'kill -HUP "$(cat /run/farmemd.test.pid)"'; }
said() { [[ $(farmemd_log) == *"$1"* ]]; }
refused() { [[ $(dmesg_since) == *"the server wants a key"* ]]; }

put_server_keys /tmp/server.keys "alpha $KEY_A" "beta $KEY_B"
put_keys /tmp/client.keys "alpha $KEY_A"
serve --keys /tmp/server.keys
load_volume 32M io_deadline=-1 client=alpha key=/tmp/client.keys
put_data

put_server_keys /tmp/server.keys "beta $KEY_B"
hang_up
wait_for 10 said '(alpha): its session goes on without a key from the key file'
live || die "the session ended: $(value sessions/default reason)"
check_data

mark_dmesg
expect_text 'client alpha disconnected; its data is kept: 32M' \
	"$(on-memory-node farmemctl server disconnect --client alpha)" "what it says"
wait_for 60 refused
expect_text 'the client is not connected' \
	"$(expect_fail on-memory-node farmemctl server disconnect --client alpha 2>&1)" "once more"
put_server_keys /tmp/server.keys "alpha $KEY_A" "beta $KEY_B"
hang_up
wait_for 60 live
check_data
unload
