# SPDX-License-Identifier: GPL-2.0
# TEST: a client whose key is another one than the server has is refused with the message, and gets no memory
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/client.keys "alpha $KEY_B"
serve --keys /tmp/server.keys
expect_no_load 'session default: the server refuses: ' server="$SERVER" size=32M client=alpha key=/tmp/client.keys
expect_log 'the server wants a key from this client, or another one'
expect_log '(the server does not accept the key that the client used) (-13)'
expect_text 'refused, it says it is alpha: its key differs from the key in the key file' "$(farmemd_log)" "farmemd's log"
expect_equal 0 "$(farmemctl server list --json | jq '.loans | length')" "loans"
