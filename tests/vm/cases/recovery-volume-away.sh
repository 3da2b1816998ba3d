# SPDX-License-Identifier: GPL-2.0
# TEST: of two volumes on a session one no longer fits the server: the other goes on, its own I/O waits until its deadline, and it comes back by itself when there is room
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/away.sh"

parked() { (($(counter parked "$big") == $1)); }

# The volume that comes first is the one that does not fit.
lose_room() {
	farmem-pages "/dev/$big" write=0,100,1
	farmem-pages "/dev/$small" write=0,100,2
	stop_farmemd KILL
	wait_for 20 recovering s
	small_server
	wait_for 60 live s
	wait_for 10 away
	expect_equal recovering "$(value volumes/big state)" "state of the volume without room"
	expect_equal live "$(value volumes/small state)" "state of the other"
	expect_log "volume big: not available: the server refuses: the server's pool has too little free memory"
}

begin_with_two
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
end_with_two

# A user that no longer wants it deletes it, with what waits; and the module goes.
begin_with_two
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
rm "$SMALL_POOL"
