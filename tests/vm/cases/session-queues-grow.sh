# SPDX-License-Identifier: GPL-2.0
# TEST: a session is live with one queue of each type; the others come by themselves, cost it nothing when they fail, and keep nobody waiting
# LONG: yes
# CPUS: 4
. "$FARMEM_TESTS/vm/cases.sh"

all=$((3 * $(nproc)))
queues() { [[ $(value sessions/s queue_count) == "$1" ]]; }
server_queues() { [[ $(farmemctl server list --json | jq '.loans[0].queues') == "$1" ]]; }
too_few() { dmesg_since | grep "queue [0-9]* of $all: .*; CPUs share [0-9]* queues until that queue connects" >/dev/null; }
asks() { cat /proc/[0-9]*/stack 2>/dev/null | grep -A9 farmem_connect_ | grep grow_work >/dev/null; }

serve
load
make_session s connect_timeout=60
make_volume v session=s size=32M

# Each queue takes three steps; the fourth queue's last one fails, the server has been asked.
set_fault times 1
set_fault fail_cm 12
power_on sessions/s
power_on volumes/v
wait_for 10 too_few || die "the fourth queue did not fail"
put_data
check_data
wait_for 30 queues "$all" || die "$(value sessions/s queue_count) queues of $all"
wait_for 10 server_queues "$all" || die "the server has other queues: $(farmemctl server list)"
check_data
expect_log "session s: all $all queues are connected"
expect_no_log 'session s failed'
expect_equal '' "$(value sessions/s reason)" "reason of a session that is well"

# I/O goes on while queues come and fail; so it does while the session recovers.
make_volume w session=s size=16M
power_on volumes/w
VERIFY_DISK=/dev/$(value volumes/w device)
verify_start
set_fault times -1
set_fault fail_cm 11
on-memory-node farmemctl server disconnect --client "$(value sessions/s client)"
wait_for 60 live s
verify_more
set_fault fail_cm 0
wait_for 60 live s
wait_for 60 queues "$all" || die "$(value sessions/s queue_count) queues of $all after a recovery"
verify_end
check_data
power_off volumes/w
power_off volumes/v
power_off sessions/s

# A server that stands still while a queue is asked for.
set_fault fail_cm 12
mark_dmesg
power_on sessions/s
wait_for 10 too_few
set_fault fail_cm 3
on-memory-node pkill -STOP -x farmemd
set_fault fail_cm 0
wait_for 40 asks || die "no queue is asked for"
live s || die "the session is $(value sessions/s state)"
in_time 20 farmemctl session list >/dev/null
in_time 20 power_off sessions/s
on-memory-node pkill -CONT -x farmemd
power_on sessions/s
wait_for 60 queues "$all" || die "$(value sessions/s queue_count) queues of $all at last"
set_fault times -1
all_off
