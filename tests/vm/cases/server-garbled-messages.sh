# SPDX-License-Identifier: GPL-2.0
# TEST: requests and HELLOs of another version, cut short or too long are refused, nobody else notices
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

# answered TEXT STEP... - that is what the server has to say to it.
answered() {
	peer -n mallory "$FARMEM_SERVER" 7471 "${@:2}"
	peer_said 15 "$1"
	wait "$peer_pid"
}

serve
bystander
# From the future, from the past.
for version in 2 65535 0; do
	answered 'queue 0 rejected 1 this farmemd speaks protocol version 1 only' connect=$version
done
answered disconnected connect cut=160,160,2 gone=10000
expect_text 'session closed: a message of another protocol version' "$(farmemd_log)" "farmemd's log"
# The CM fills a short request up with zeros.
for bytes in 1 33; do
	answered 'queue 0 rejected 2 ' connect=1,$bytes
done
undisturbed

# Honest about its length, and not.
for bytes in 16 159 161 4096; do
	answered 'welcome reason=2' connect cut=$bytes answer gone=10000
	peer_said 1 disconnected
done
for cut in 0 15 159,160 161,160 160,161; do
	answered disconnected connect cut=$cut gone=10000
done
# More than there is room for: the adapter's to refuse.
for bytes in 4097 65536; do
	answered 'connection lost: remote ' connect cut=$bytes answer gone=10000
	peer_said 1 disconnected
done
undisturbed
# From a client that has a session.
answered disconnected connect hello cut=160,160,2 gone=10000
expect_text '(mallory): session closed: a message of another protocol version' "$(farmemd_log)" "farmemd's log"
answered disconnected connect hello cut=4097 gone=10000
expect_text '(mallory): session closed: a message that is too long' "$(farmemd_log)" "farmemd's log"
answered 'welcome reason=0' connect hello
leave_undisturbed
