# SPDX-License-Identifier: GPL-2.0
# TEST: of two volumes on a session one no longer fits the server: the other goes on, its own I/O waits until its deadline, and it comes back by itself when there is room
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/small.pool

away() { [[ $(value volumes/big reason) == *"the server's pool has too little free memory"* ]]; }
parked() { (($(counter parked "$big") == $1)); }
back() { [[ $(value volumes/big state) == live ]]; }

# Without --pool the memory of the first server is gone with it. In the second's
# another client keeps what the big volume lacks.
prepare() {
	start_farmemd --size 48M --pool $pool --listen "$SERVER"
	load
	make_session other client=other
	make_volume hoard session=other size=32M
	power_on sessions/other
	power_on volumes/hoard
	power_off volumes/hoard
	power_off sessions/other
	rmdir $CONFIG/volumes/hoard $CONFIG/sessions/other
	stop_farmemd
	serve
	make_session s client=tester
	make_volume big session=s size=32M io_deadline=-1
	make_volume small session=s size=16M io_deadline=-1
	power_on sessions/s
	power_on volumes/big
	power_on volumes/small
	big=$(value volumes/big device) small=$(value volumes/small device)
	farmem-pages "/dev/$big" write=0,100,1
	farmem-pages "/dev/$small" write=0,100,2
}

# The volume that comes first is the one that does not fit.
lose_room() {
	stop_farmemd KILL
	wait_for 20 recovering s
	start_farmemd --size 48M --pool $pool --listen "$SERVER"
	wait_for 60 live s
	wait_for 10 away
	expect_equal recovering "$(value volumes/big state)" "state of the volume without room"
	expect_equal live "$(value volumes/small state)" "state of the other"
	expect_log "volume big: not available: the server refuses: the server's pool has too little free memory"
}

give_room() {
	within 60 farmemctl server release --client other
}

prepare
lose_room

# The other works: its pages were lost with the first server, and are what is written now.
farmem-pages "/dev/$small" lost=0,100
farmem-pages "/dev/$small" write=0,100,3
farmem-pages "/dev/$small" check=0,100,3
expect_text '' "$(value sessions/s reason)" "reason of the session"

# Nothing of the first one is read wrong, nor at all: it waits, and with a deadline fails.
set_value volumes/big io_deadline 1
! within 20 dd if="/dev/$big" of=/dev/null bs=4k count=1 iflag=direct 2>/dev/null ||
	die "a page of a volume that is not there was read"
! within 20 dd if=/dev/zero of="/dev/$big" bs=4k count=1 oflag=direct 2>/dev/null ||
	die "a page of a volume that is not there was written"
set_value volumes/big io_deadline -1
farmem-pages "/dev/$big" write=200,1,4 &
writer=$!
wait_for 20 parked 1
live s || die "the session does not stand that"

give_room
wait_for 30 back
wait $writer
expect_log "volume big: the server has granted it again"
expect_equal '' "$(value volumes/big reason)" "reason of the volume"
farmem-pages "/dev/$big" check=200,1,4
farmem-pages "/dev/$big" lost=0,100
farmem-pages "/dev/$small" check=0,100,3
all_off
stop_farmemd
rm $pool

# A user that no longer wants it deletes it, with what waits; and the module goes.
prepare
lose_room
farmem-pages "/dev/$big" write=200,1,4 2>/dev/null &
writer=$!
wait_for 20 parked 1
within 60 farmemctl volume delete big --force
! wait $writer || die "a write to nowhere succeeded"
farmem-pages "/dev/$small" write=0,100,3
power_off volumes/small
power_off sessions/s
rmdir $CONFIG/volumes/small $CONFIG/sessions/s
unload
stop_farmemd
rm $pool
