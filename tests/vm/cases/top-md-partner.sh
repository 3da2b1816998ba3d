# SPDX-License-Identifier: GPL-2.0
# TEST: a mirror of two volumes that are partners: the first that is lost is let go soon, the last one waits for its server however long, so do both when they are lost at once, and no error reaches the verifier
# LONG: yes
# PARALLEL: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

second=$FARMEM_SERVER:7472

serve_first() {
	serve --pool /dev/shm/first.pool
}
serve_second() {
	setsid farmemd --insecure --size 64M --listen "$second" --control /run/second.sock \
		--pool /dev/shm/second.pool >/tmp/second.log 2>&1 </dev/null &
	wait_for 30 grep -qw ready /tmp/second.log
}
kill_second() {
	pkill -KILL -f "$second"
	wait_for 10 gone
}
gone() { ! pgrep -f "$second"; }
over() { ((SECONDS > $1)); }
degraded() { [[ $(</sys/block/md0/md/degraded) == 1 ]]; }
whole() { [[ $(</sys/block/md0/md/degraded) == 0 && $(</sys/block/md0/md/sync_action) == idle ]]; }
stale() { value volumes/left stale; value volumes/right stale; }

# waits SIDE... - what is lost has I/O that waits, and has no end long after its deadline.
waits() {
	local before side

	for side; do wait_for 60 recovering "$side"; done
	wait_for 30 over $((SECONDS + 2))
	before=$(verify_done)
	wait_for 60 over $((SECONDS + 8))
	expect_equal "$before" "$(verify_done)" "what the verifier has done"
	expect_at_least 1 "$(($(counter parked "${left#/dev/}") + $(counter parked "${right#/dev/}")))" \
		"I/O that waits"
	kill -0 "$verify_pid" || die "the verifier: $(<"$VERIFY.out")"
}

# goes_on - and the mirror is as it was.
goes_on() {
	verify_more 120
	[[ $(</sys/block/md0/md/array_state) != broken ]] || die "the mirror is broken"
}

# repair SIDE DISK - md has it again, and so says its volume.
repair() {
	wait_for 120 live "$1"
	mdadm /dev/md0 --re-add "$2"
	wait_for 120 whole
	set_value "volumes/$1" partner "$(value "volumes/$1" partner)"
	expect_equal 0 "$(value "volumes/$1" stale)" "stale of $1 once its partner is written again"
}

modprobe raid1
serve_first
serve_second
load
make_session left client=tester reconnect_max=2
make_session right client=tester server="$second" reconnect_max=2
for side in left right; do
	power_on sessions/$side
	make_volume $side session=$side size=48M io_deadline=1
	power_on volumes/$side
done
set_value volumes/left partner right
set_value volumes/right partner left
left=/dev/$(value volumes/left device) right=/dev/$(value volumes/right device)
# With a list of bad blocks md would keep a leg whose writes fail.
echo 'CREATE bbl=no' >/tmp/mdadm.conf
mdadm --create /dev/md0 --config=/tmp/mdadm.conf --run --level=1 --raid-devices=2 --assume-clean \
	--metadata=1.2 --bitmap=internal "$left" "$right"
VERIFY_DISK=/dev/md0
verify_start

# One is lost: it goes.
kill_second
wait_for 60 degraded
goes_on
expect_equal $'0\n1' "$(stale)" "stale of left and right"

# The last one waits, though the other one is back with what it had.
stop_farmemd KILL
serve_second
wait_for 120 live right
waits left
expect_equal $'0\n1' "$(stale)" "stale of left and right"
serve_first
wait_for 120 live left
goes_on
expect_equal 1 "$(</sys/block/md0/md/degraded)" "legs that the mirror lacks"

# Once they hold the same bytes, the other one may go, and be the one that comes back.
repair right "$right"
stop_farmemd KILL
wait_for 60 degraded
goes_on
expect_equal $'1\n0' "$(stale)" "stale of left and right"
serve_first
repair left "$left"

# Both at once, as far as a busy machine can; the first that is back goes on, with the other one
# or without.
for side in left right; do
	set_value volumes/$side io_deadline 5
done
pkill -KILL -x farmemd
wait_for 10 gone
waits left right
expect_equal $'0\n0' "$(stale)" "stale of left and right"
serve_second
serve_first
wait_for 120 live left
wait_for 120 live right
goes_on
verify_end
mdadm --stop /dev/md0
all_off
kill_second
rm /dev/shm/first.pool /dev/shm/second.pool
