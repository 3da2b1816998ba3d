# SPDX-License-Identifier: GPL-2.0
# TEST: a client without a key is refused by a farmemd with --keys, whether the file has its name or not
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/client.keys "beta $KEY_B"
serve --keys /tmp/server.keys
refused="the server refuses: the server wants a key from this client, or another one; give the client its own key (key=), and put the line that 'farmemctl key derive' makes from it for this server into the server's file (--keys)"
load
make_session s client=alpha
expect_refusal "$refused (the client used no key)" sessions/s
expect_log '(-13)'
echo beta >$CONFIG/sessions/s/client
expect_refusal "$refused (the client used no key)" sessions/s
echo /tmp/client.keys >$CONFIG/sessions/s/key
expect_refusal "$refused (the server does not accept the key that the client used)" sessions/s
expect_text 'it says it is alpha: it has a key, but did not use it' "$(farmemd_log)" "farmemd's log"
expect_text 'it says it is beta: the key file has no key for it' "$(farmemd_log)" "farmemd's log"
rmdir $CONFIG/sessions/s
unload
