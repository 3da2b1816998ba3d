# SPDX-License-Identifier: GPL-2.0
# TEST: farmemctl volume delete --force ends I/O that waits for ever for a lost server, and takes the volume away from the process that waited
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

parked() { (($(counter parked) == $1)); }

serve
load
make_session s
make_volume v session=s size=32M io_deadline=-1
power_on sessions/s
power_on volumes/v
put_data
stop_farmemd KILL
wait_for 20 recovering s
# The process that waits closes the disk after farmemctl has tried in vain.
tried() { grep -q nanosleep "/proc/$(pgrep -x farmemctl)/stack"; }
(
	fio --name=one --filename=/dev/farmem0 --direct=1 --rw=write --bs=4k --size=4k \
		--ioengine=libaio >/tmp/write.log 2>&1 && exit
	wait_for 20 tried || true
	exit 1
) 9</dev/farmem0 &
writer=$!
wait_for 20 parked 1
! farmemctl volume delete v --keep 2>/tmp/said || die "deleted under somebody's hands"
expect_text '/dev/farmem0 is open: a process or the kernel uses it' "$(</tmp/said)" "what is said without --force"
expect_equal -1 "$(value volumes/v io_deadline)" "io_deadline after that"
within 60 farmemctl volume delete v --keep --force
! wait "$writer" || die "a write succeeded without a server"
[[ ! -e $CONFIG/volumes/v ]] || die "the volume is still there"
power_off sessions/s
rmdir "$CONFIG/sessions/s"
unload
