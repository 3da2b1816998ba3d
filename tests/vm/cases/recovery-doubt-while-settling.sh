# SPDX-License-Identifier: GPL-2.0
# TEST: a discard that fails while the page states of another volume are put right is put right too, before the session is live
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# discard VOLUME - of its fifth page, on the way when this is over
discard() {
	blkdiscard -f -o 16k -l 4k "/dev/$(value "volumes/$1" device)" &
	wait_for 20 on_the_way "$1"
}
on_the_way() { (($(counter inflight "$(value "volumes/$1" device)") == 1)); }
parked() { (($(counter parked "$(value "volumes/$1" device)") == 1)); }
over() { ! kill -0 "$1" 2>/dev/null; }
# fails PID - the discard, soon
fails() {
	wait_for 20 over "$1"
	! wait "$1" || die "the discard succeeded"
}
settling() { (($(<"$FAULTS/times") < 1000000)); }

serve --listen "$FARMEM_SERVER:7472"
load
make_session s client=compute connect_timeout=60 heartbeat=0
make_volume waits session=s size=16M io_deadline=-1
make_volume fails session=s size=16M io_deadline=0
power_on sessions/s
power_on volumes/waits
power_on volumes/fails
disk=/dev/$(value volumes/waits device) uuid=$(value volumes/waits uuid)
farmem-pages "$disk" write=0,16,1

# Both discards get there, and then fail.
set_fault delay_completion 1
discard waits
waiting=$!
discard fails
failing=$!
set_fault fail_post 1
set_fault fail_completion 1
set_fault delay_completion 0
fails $failing
set_fault fail_completion 0
wait_for 20 parked waits
# No page state gets past the lack of room: the first volume had none to write, and the
# second waits.
set_fault times 1000000
wait_for 60 settling
expect_equal recovering "$(value sessions/s state)" "state"
set_value volumes/waits io_deadline 0
fails $waiting
set_fault fail_post 0
wait_for 60 live s
set_fault times -1
farmem-pages "$disk" check=0,16,1

# Its client ends without a word: nothing can be put right then.
# As another node.
set_fault fail_know_own 1
make_session second server="$FARMEM_SERVER:7472" client=compute takeover=1
make_volume its session=second size=16M "uuid=$uuid"
power_on sessions/second
power_on volumes/its
farmem-pages "/dev/$(value volumes/its device)" check=0,16,1
all_off
