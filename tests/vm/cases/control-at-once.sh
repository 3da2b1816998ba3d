# SPDX-License-Identifier: GPL-2.0
# TEST: commands started at once share a server's session: farmemctl's take turns, and the module lets a volume wait for a session that another script connects
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

# at_once VERB NAME... - for each of them a farmemctl; all must succeed
at_once() {
	local name pids=() pid

	for name in "${@:2}"; do
		case $1 in
		create) within 60 farmemctl volume create "$name" --size 1M --server "$SERVER" & ;;
		delete) within 60 farmemctl volume delete "$name" & ;;
		esac
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || die "one of those started at once failed: $*"
	done
}

# switch_on OBJECT - in the background, by one process: $!
switch_on() {
	bash -c 'echo 1 >"$0"' "$CONFIG/$1/power" 2>/dev/null &
}

connecting() { [[ $(value sessions/s state) == connecting ]]; }

# The switching process sleeps in the module, or has ended.
settled() { ! kill -0 "$switching" || grep -q farmem "/proc/$switching/stack"; }

serve --slab-size 1M
load
for _ in 1 2 3; do
	at_once create one two three four five six
	expect_equal 1 "$(farmemctl session list -n -o name | wc -l)" "sessions"
	at_once delete one two three four five six
	expect_equal '' "$(objects)" "sessions and volumes"
done

# While the last volume of a session goes, the next comes.
at_once create last
for _ in 1 2 3 4 5; do
	within 60 farmemctl volume delete last &
	deleting=$!
	at_once create next
	wait $deleting
	within 60 farmemctl volume delete next &
	deleting=$!
	at_once create last
	wait $deleting
done
at_once delete last
expect_equal '' "$(objects)" "sessions and volumes"

# Scripts without farmemctl: one connects the session, the other one wants a volume on it.
make_session s client=tester
make_volume v session=s size=1M
on-memory-node pkill -STOP -x farmemd
switch_on sessions/s
connecting=$!
wait_for 20 connecting
switch_on volumes/v
switching=$!
wait_for 20 settled
on-memory-node pkill -CONT -x farmemd
wait $connecting || die "the session did not go on"
wait $switching || die "the volume did not wait: $(value volumes/v reason)"
power_off volumes/v
power_off sessions/s

# Nobody answers: a command that waits for the session can be killed, or is told in the end.
on-memory-node pkill -STOP -x farmemd
switch_on sessions/s
connecting=$!
wait_for 20 connecting
switch_on volumes/v
switching=$!
wait_for 20 settled
kill -KILL $switching
! wait $switching || die "a volume went on without its session"
connecting || die "the killed one waited for the session"
on-memory-node pkill -CONT -x farmemd
wait $connecting
power_off sessions/s

on-memory-node pkill -STOP -x farmemd
echo 2 >$CONFIG/sessions/s/connect_timeout
switch_on sessions/s
connecting=$!
wait_for 20 connecting
switch_on volumes/v
switching=$!
! wait $switching || die "a volume went on without its session"
expect_text 'session s is down; power it on first' "$(value volumes/v reason)" "reason"
! wait $connecting || die "the session went on without a server"
on-memory-node pkill -CONT -x farmemd
all_off
