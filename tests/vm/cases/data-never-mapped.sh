# SPDX-License-Identifier: GPL-2.0
# TEST: data that cannot be mapped does not hold its queue for ever: if it never can it fails at once, else the session recovers, and it is written when it can be, or fails with io_deadline
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

put_page() { dd if=/tmp/data of=/dev/farmem0 bs=4k count=1 seek=4096 oflag=direct status=none; }
ended() { ! kill -0 "$writer" 2>/dev/null; }

serve
load_volume 32M heartbeat=0 peer_timeout=1 io_deadline=-1
put_data

# A mistake of ours.
set_fault times 1
set_fault fail_map_hard 1
expect_fail within 20 dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none
set_fault fail_map_hard 0
set_fault times -1
expect_equal live "$(value sessions/default state)" "state of the session"
check_data

# One that passes, but late: no page can be mapped.
set_fault say_max_mapping 2048
put_page &
writer=$!
wait_for 60 recovering
expect_log "has had requests to send for 2 s, and could send none"
set_fault say_max_mapping 0
wait_for 60 ended
wait "$writer" || die "a write failed that could wait"
dd if=/dev/farmem0 bs=4k count=1 skip=4096 iflag=direct status=none | cmp -n 4096 - /tmp/data
check_data

# One that does not.
set_value volumes/default io_deadline 3
set_fault say_max_mapping 2048
put_page 2>/dev/null &
writer=$!
wait_for 60 ended
! wait "$writer" || die "a write succeeded that cannot be mapped"
expect_at_least 1 "$(counter write_errors)" "writes that failed"
set_fault say_max_mapping 0
wait_for 60 live
check_data
expect_equal 0 "$(counter parked)" "I/O still parked"
in_time 20 unload
