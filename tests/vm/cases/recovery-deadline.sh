# SPDX-License-Identifier: GPL-2.0
# TEST: while the server is away I/O waits until the deadline; after that it fails at once
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

read_page() {
	dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none
}
write_page() {
	fio --name=one --filename=/dev/farmem0 --direct=1 --rw=write --bs=4k --size=4k \
		--ioengine=libaio >/tmp/write.log 2>&1
}
parked() { (($(counter parked) == $1)); }
expired() { (($(counter parked) == 0)); }

serve
load_volume 32M io_deadline=-1
put_data
stop_farmemd KILL
wait_for 20 recovering
expect_equal recovering "$(value volumes/default state)" "state of the volume"
write_page &
writer=$!
wait_for 20 parked 1

# At once.
set_value volumes/default io_deadline 0
expect_equal 0 "$(counter parked)" "I/O that waits with io_deadline=0"
! wait "$writer" || die "a write succeeded without a server"
set_value volumes/default io_deadline -1
write_page &
writer=$!
wait_for 20 parked 1

# Neither is sent before, nor kept longer than somebody wants to wait.
set_value volumes/default io_deadline 15
wait_for 60 expired
! wait "$writer" || die "a write succeeded without a server"
expect_equal 2 "$(counter write_errors)" "writes that failed"
expect_fail read_page
expect_equal recovering "$(value sessions/default state)" "state of the session"
in_time 20 unload
