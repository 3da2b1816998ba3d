# SPDX-License-Identifier: GPL-2.0
# TEST: a lender whose programs need memory gets it back: under the verifier the watcher moves its chunks elsewhere, and gives copies up when it is urgent; a server that is drained is left as well; no I/O fails, and nothing is left behind
# LONG: yes
# TIMEOUT: 900
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

# Of a chunk that is gone md has told.
no_io_failed() {
	expect_equal 0 "$(group_errors)" "failed I/O"
	! dmesg | grep -E "super_written gets error|rescheduling sector|I/O error" || die "I/O has failed"
}

modprobe -a raid1 dm-mod
load
RACK_SIZE=16M..256M rack_serve 1 --headroom 700M --notice 600
RACK_SIZE=16M..256M rack_serve 2 --headroom 450M --notice 0
for n in 3 4; do
	RACK_SIZE=256M rack_serve $n
done
RACK=2 group_make far 128M --chunk 32M --copies 2
group_lies_on far 1 || die "server 1 has no chunk"
# The other two have room, and hold a small pair.
farmemctl group grow far --size 132M --server "$(rack_address 3)@r3" --server "$(rack_address 4)@r4"
VERIFY_DISK=/dev/far/volume
verify_start
farmemctl group watch --delay 5 >/tmp/watch.log 2>&1 &
watcher=$!

echo "no hurry: a chunk moves, and its pair has two copies all the time"
mark_dmesg
began=$SECONDS
programs_leave 500
wait_for 240 group_has_left far 1
wait_for 60 rack_holds 1 16
echo "server 1 had its memory back after $((SECONDS - began)) s"
# What it wants is less by each chunk, and a command moves as many as that takes.
runs=$(grep -c "chunks leave" /tmp/watch.log)
((runs < 4)) || die "4 chunks took $runs commands"
wait_for 60 rack_wants_nothing 1
verify_more
group_apart far
expect_no_log "Disk failure"
no_io_failed

echo "urgent: a copy is given up, and made anew"
group_lies_on far 2 || die "server 2 has no chunk any more"
programs_leave 250
wait_for 240 group_has_left far 2
wait_for 60 rack_holds 2 16
wait_for 240 group_is far live
verify_more
group_apart far
no_io_failed

echo "the machine has memory again"
programs_end
wait_for 60 rack_wants_nothing 1
wait_for 60 rack_wants_nothing 2
verify_more

echo "an administrator empties a server: chunks move, and no copy is given up"
group_lies_on far 3 || die "server 3 has no chunk"
mark_dmesg
on-memory-node farmemctl server drain --control /run/rack3.sock --timeout 600
group_has_left far 3 || die "a chunk is left on server 3"
verify_end
group_apart far
expect_no_log "Disk failure"
no_io_failed
cat /tmp/watch.log
farmemctl group delete far
wait $watcher
rack_gone
umount /tmp/programs
unload
pkill -KILL -f "/run/rack"
