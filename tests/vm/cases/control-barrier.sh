# SPDX-License-Identifier: GPL-2.0
# TEST: what a session gave back is lent to another client while that session goes on, as zeros, and its I/O does not notice; without heartbeats the memory waits for the session's end
. "$FARMEM_TESTS/vm/cases.sh"

quarantined() { farmemctl server list --json | jq '[.loans[].quarantined] | add // 0'; }
none_quarantined() { [[ $(quarantined) == 0 ]]; }

load
serve
for name in a b; do
	make_session $name client=$name heartbeat=1
	power_on sessions/$name
done
farmemctl volume create stays --size 16M --session a
VERIFY_DISK=/dev/$(value volumes/stays device)
verify_start
for round in 1 2 3; do
	farmemctl volume create goes --size 32M --session a
	head -c 32M /dev/zero | tr '\0' '\377' |
		dd of="/dev/$(value volumes/goes device)" bs=1M count=32 iflag=fullblock oflag=direct status=none
	farmemctl volume delete goes
	wait_for 60 none_quarantined
	# All of the pool that is left: the same memory.
	farmemctl volume create others --size 48M --session b
	zeros "/dev/$(value volumes/others device)" 50331648 || die "round $round: another client's bytes are readable"
	farmemctl volume delete others
	wait_for 60 none_quarantined
	verify_more
done
verify_end

# Nothing tells the server.
make_session c client=c heartbeat=0
power_on sessions/c
farmemctl volume create of_c --size 16M --session c
expect_text 'The server holds that memory until session c ends' \
	"$(farmemctl volume delete of_c)" "what volume delete says"
none_of_c() { [[ $(farmemctl server list --json | jq '[.loans[] | select(.client == "c") | .quarantined] | add // 0') == 0 ]]; }
! wait_for 8 none_of_c || die "it is free, and nothing was said"
farmemctl server disconnect --client c
wait_for 20 none_of_c
all_off
