# SPDX-License-Identifier: GPL-2.0
# TEST: io_deadline counts from when the session was lost, not from an attempt to get it back nor from when the I/O came; after it all I/O fails at once
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

deadline=$((20 * FARMEM_SLOWNESS))

later() { (($(date +%s) >= $1)); }
parked() { (($(counter parked) == $1)); }
read_page() {
	fio --name=one --filename=/dev/farmem0 --direct=1 --rw=read --bs=4k --size=4k --ioengine=libaio \
		>/dev/null 2>&1
}

serve
load_volume 32M io_deadline=$deadline reconnect_delay=1 reconnect_max=2
put_data
stop_farmemd KILL
wait_for 20 recovering
lost=$(date +%s)
read_page &
wait_for 20 parked 1
wait_for 60 later $((lost + deadline / 2))
read_page &
late=$!
wait_for 20 parked 2
# Attempts go on all the time, and neither put it off; both end with the same clock.
wait_for 60 parked 0
! wait "$late" || die "a read succeeded without a server"
# A clock of its own would be one of 20 s again.
in_time 15 expect_fail read_page
in_time 20 unload
