# SPDX-License-Identifier: GPL-2.0
# TEST: a key that cannot be used is refused with what is wrong with it; a key itself is never taken for a reference
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

expect_no_load 'key=: give the path of a key file, or keyring:DESCRIPTION' server="$SERVER" size=32M key="$KEY_A"
expect_no_log "$KEY_A"
load
make_session s client=alpha

# wrong TEXT LINE... - a key file of these
wrong() {
	put_keys /tmp/client.keys "${@:2}"
	expect_refusal "key=/tmp/client.keys: $1" sessions/s
}

expect_error 'Invalid argument' sessions/s key "$KEY_A"
expect_error 'Invalid argument' sessions/s key relative/path
expect_error 'Invalid argument' sessions/s key keyring:
expect_error 'File name too long' sessions/s key "/$(printf 'n%.0s' {1..256})"
expect_equal '' "$(value sessions/s key)" "key"
expect_no_log "$KEY_A"
echo /tmp/client.keys >$CONFIG/sessions/s/key
expect_refusal 'key=/tmp/client.keys: the file cannot be opened' sessions/s
wrong 'the file has no line for this client' "alphabet $KEY_A" "#alpha $KEY_A" "beta $KEY_A"
digits='a key has 32 to 128 hexadecimal digits, an even number'
wrong "$digits" "alpha ${KEY_A:0:30}"
wrong "$digits" "alpha ${KEY_B}0"
wrong "$digits" "alpha ${KEY_B:0:31}g"
wrong "$digits" "alpha $KEY_A$KEY_A$KEY_B"
wrong "$digits" "alpha $KEY_A $KEY_A"
wrong "this line is for a server's file; the client needs" "alpha $SERVER_UUID $KEY_A"
head -c 70000 /dev/zero | tr '\0' '#' >/tmp/client.keys
expect_refusal 'the file cannot be read, or is larger than 64K' sessions/s
put_keys /tmp/client.keys "alpha $KEY_A"
chmod 640 /tmp/client.keys
expect_refusal 'key=/tmp/client.keys: others can read or change the file' sessions/s
chmod 600 /tmp/client.keys
chown 7 /tmp/client.keys
expect_refusal 'key=/tmp/client.keys: others can read or change the file' sessions/s
rmdir $CONFIG/sessions/s
unload
