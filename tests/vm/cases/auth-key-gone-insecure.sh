# SPDX-License-Identifier: GPL-2.0
# TEST: with --insecure too, what a client with a key has is open to nobody when the key's line is gone, also after farmemd's restart
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.keyed

put_server_keys /tmp/server.keys "alpha $KEY_A" "beta $KEY_B"
put_keys /tmp/client.keys "alpha $KEY_A"
serve --keys /tmp/server.keys --insecure --pool $pool
load
make_session s client=alpha key=/tmp/client.keys
power_on sessions/s
make_volume v session=s size=32M
power_on volumes/v
power_off volumes/v
power_off sessions/s

put_server_keys /tmp/server.keys "beta $KEY_B"
stop_farmemd KILL
serve --keys /tmp/server.keys --insecure --pool $pool
echo >$CONFIG/sessions/s/key
expect_refusal 'the server wants a key from this client' sessions/s
expect_text 'refused, it says it is alpha: its volumes belong to a client with a key' \
	"$(farmemd_log)" "farmemd's log"

# The way out that gives the memory up.
farmemctl server release --client alpha
power_on sessions/s
all_off
stop_farmemd
rm $pool
