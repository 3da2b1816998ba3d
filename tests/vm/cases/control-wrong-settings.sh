# SPDX-License-Identifier: GPL-2.0
# TEST: a setting out of its range is EINVAL and changes nothing; powering on what is incomplete says what lacks
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

load
make_session s
make_volume v

# refused OBJECT FILE VALUE... - each EINVAL, and the file reads as before
refused() {
	local before wrong

	before=$(value "$1" "$2")
	for wrong in "${@:3}"; do
		expect_error 'Invalid argument' "$1" "$2" "$wrong"
		expect_equal "$before" "$(value "$1" "$2")" "$1/$2 after $wrong"
	done
}

refused sessions/s queues -1 1025 many
refused sessions/s connect_timeout 0 301 x
refused sessions/s takeover maybe
refused sessions/s reconnect_delay -1 3601 x
refused sessions/s reconnect_max 0 3601
refused sessions/s heartbeat 61 -1
refused sessions/s peer_timeout 0 0.249 60.001 1. 7s
refused volumes/v io_deadline -2 86400.001 0.0005 soon -1.5
refused volumes/v partner v x/y .x "$(printf %032d 0)"
refused sessions/s power maybe
refused volumes/v size 0 x 1.5MB 1Q 16777216T
refused volumes/v uuid x 01234567-89ab-4def-8123-456789abcde
refused volumes/v sync maybe
# Of another alphabet, or what breaks lines and terminals, JSON and logs.
for wrong in $'caf\xe9' 'größe' $'a\nb' $'a\eb' 'a b' $'a\tb' $'a\x7f'; do
	# The shell writes lines one by one.
	if [[ $wrong != *$'\n'* ]]; then
		refused sessions/s server "$wrong"
		refused sessions/s source "$wrong"
		refused sessions/s client "$wrong"
		refused volumes/v session "$wrong"
	fi
	for kind in sessions volumes; do
		said=$(mkdir "$CONFIG/$kind/$wrong" 2>&1) && die "a name of $kind: ${wrong@Q}"
		expect_text 'Invalid argument' "$said" "error of mkdir"
	done
done
refused sessions/s key $'/tmp/a\eb'
expect_error 'File name too long' sessions/s client "$(printf 'n%.0s' {1..64})"
expect_error 'File name too long' volumes/v session "$(printf 'n%.0s' {1..200})"
expect_fail mkdir "$CONFIG/volumes/$(printf 'n%.0s' {1..32})"

echo >$CONFIG/sessions/s/server
expect_refusal 'no server: set server=ADDR:PORT, or server=local' sessions/s
echo elsewhere >$CONFIG/sessions/s/server
expect_refusal 'server=elsewhere is not an address; write 192.0.2.1:7471 or [2001:db8::1]:7471, or local' sessions/s
expect_refusal 'size=0: give a multiple of 4096 bytes, from 1M to 64T' volumes/v
echo 1M >$CONFIG/volumes/v/size
expect_refusal 'no session ; create it first' volumes/v
echo t >$CONFIG/volumes/v/session
expect_refusal 'no session t; create it first' volumes/v
echo s >$CONFIG/volumes/v/session
expect_refusal 'session s is down; power it on first' volumes/v
expect_error 'No such device' volumes/v release 1
rmdir $CONFIG/volumes/v $CONFIG/sessions/s
unload
