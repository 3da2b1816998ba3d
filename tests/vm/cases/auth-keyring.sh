# SPDX-License-Identifier: GPL-2.0
# TEST: a key may come from a keyring, of type logon or user; one that is not there is named
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A"
serve --keys /tmp/server.keys
load
make_session s client=alpha key=keyring:farmem:alpha
# A session keyring of this process's own, as a login has.
expect_refusal 'key=keyring:farmem:alpha: there is no such key in the keyrings of the process that connects' sessions/s
for type in logon user; do
	id=$(printf '%s\n' "$KEY_A" | keyctl padd $type farmem:alpha @u)
	power_on sessions/s
	power_off sessions/s
	keyctl unlink "$id" @u
	keyctl revoke "$id" 2>/dev/null || true
done
id=$(printf '%s' "$KEY_B" | keyctl padd user alpha @u)
echo keyring:alpha >$CONFIG/sessions/s/key
expect_refusal 'the server refuses: the server wants a key' sessions/s
rmdir $CONFIG/sessions/s
unload
