# SPDX-License-Identifier: GPL-2.0
# TEST: a session that fails while the server is asked for something says why it failed, not that there was no answer
# CPUS: 4
. "$FARMEM_TESTS/vm/cases.sh"

all=$((3 * $(nproc)))
why="no answer to a heartbeat for 3 s"
too_few() { dmesg_since | grep "queue [0-9]* of $all: .*; CPUs share [0-9]* queues until that queue connects" >/dev/null; }
asks() { cat /proc/[0-9]*/stack 2>/dev/null | grep -A9 farmem_connect_ | grep grow_work >/dev/null; }
opens() { cat /proc/[0-9]*/stack 2>/dev/null | grep farmem_control_open >/dev/null; }

# fails_by_heartbeat - and by nothing else: the adapter answers for a farmemd that is stopped.
fails_by_heartbeat() {
	set_fault fail_beat 1
	wait_for 30 failed s || die "the session is $(value sessions/s state)"
	set_fault fail_beat 0
	expect_log "session s failed: $why"
	on-memory-node pkill -CONT -x farmemd
}

serve
load
make_session s heartbeat=1 peer_timeout=1 reconnect_delay=0 connect_timeout=60
make_volume v session=s size=16M

# While a queue is asked for: the twelfth step of connecting is the fourth queue's last.
set_fault fail_cm 12
power_on sessions/s
wait_for 30 too_few || die "the fourth queue did not fail"
set_fault fail_cm 3
on-memory-node pkill -STOP -x farmemd
set_fault fail_cm 0
wait_for 40 asks || die "no queue is asked for"
fails_by_heartbeat
# A reader of that waits for the session's lock, and so for the end of the attempt.
value sessions/s device >/dev/null
expect_equal "$why" "$(value sessions/s reason)" "reason of the session"
power_off sessions/s
power_on sessions/s

# While a volume is.
on-memory-node pkill -STOP -x farmemd
set_value volumes/v power 1 >/dev/null &
wait_for 20 opens || die "the volume is not asked for"
mark_dmesg
fails_by_heartbeat
! wait $! || die "the volume went on"
expect_equal "$why" "$(value volumes/v reason)" "reason of the volume"
expect_equal "$why" "$(value sessions/s reason)" "reason of the session"
power_off sessions/s
power_on sessions/s
power_on volumes/v
power_off volumes/v
all_off
