# SPDX-License-Identifier: GPL-2.0
# TEST: with --keys and --insecure a client that is in the file must prove it, every other one is admitted
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/client.keys "alpha $KEY_A"
serve --keys /tmp/server.keys --insecure
expect_text '--insecure: any client that reaches the port is admitted and may take memory, except under the name of a client that has a key' \
	"$(farmemd_log)" "farmemd's log"
load
make_session s client=beta
power_on sessions/s
power_off sessions/s
echo alpha >$CONFIG/sessions/s/client
expect_refusal 'the server refuses: the server wants a key' sessions/s
echo /tmp/client.keys >$CONFIG/sessions/s/key
power_on sessions/s
expect_text '(beta): session live without a key' "$(farmemd_log)" "farmemd's log"
expect_text '(alpha): session live, its key is proved' "$(farmemd_log)" "farmemd's log"
all_off
