# SPDX-License-Identifier: GPL-2.0
# TEST: dm-multipath over two volumes with the same bytes: when a server is killed its path fails, a write and a read go by the other path at once, though each volume alone would wait for ever; without a path dm waits, and goes on when one is reinstated
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

second=$FARMEM_SERVER:7472

serve_second() {
	setsid farmemd --insecure --size 64M --listen "$second" --control /run/second.sock \
		--pool /dev/shm/second.pool >/tmp/second.log 2>&1 </dev/null &
	wait_for 30 grep -qw ready /tmp/second.log
}
gone() { ! pgrep -f "$second"; }

# A path of the map is in use (A) or has failed (F).
path_is() { dmsetup status paths | grep "$(number "$1") $2 " >/dev/null; }
number() { cat "/sys/block/$1/dev"; }
reinstate() { dmsetup message paths 0 "reinstate_path $(number "$1")"; }
reads_all() { dd if=/dev/mapper/paths bs=1M count=16 iflag=direct status=none | cmp - /tmp/bytes; }
writes_all() { dd if=/tmp/bytes of=/dev/mapper/paths bs=1M oflag=direct status=none; }
has_ended() { ! kill -0 "$1"; }

modprobe dm-multipath
modprobe dm-round-robin
serve
serve_second
load
make_session left client=tester heartbeat=1 peer_timeout=1
make_session right client=tester server="$second" heartbeat=1 peer_timeout=1
for side in left right; do
	power_on sessions/$side
	make_volume $side session=$side size=16M io_deadline=-1
	power_on volumes/$side
done
left=$(value volumes/left device) right=$(value volumes/right device)
dd if=/dev/urandom of=/tmp/bytes bs=1M count=16 status=none
for disk in "$left" "$right"; do
	dd if=/tmp/bytes of="/dev/$disk" bs=1M oflag=direct status=none
done
# The second path is used when the first has failed.
dmsetup create paths --table "0 $(blockdev --getsz "/dev/$left") multipath 3 queue_if_no_path queue_mode bio \
0 2 1 round-robin 0 1 1 $(number "$left") 1 round-robin 0 1 1 $(number "$right") 1"
in_time 60 reads_all
path_is "$left" A

stop_farmemd KILL
in_time 60 writes_all
path_is "$left" F
path_is "$right" A
in_time 60 reads_all
expect_equal 0 "$(counter parked "$left")" "I/O that waits for the server that was killed"

# No path is left: dm keeps the reader until the server is back, with its memory.
pkill -KILL -f "$second"
wait_for 10 gone
reads_all &
reader=$!
wait_for 60 path_is "$right" F
expect_equal 0 "$(counter parked "$right")" "I/O that waits for the second server"
kill -0 $reader
serve_second
wait_for 60 live right
reinstate "$right"
wait_for 60 has_ended $reader
wait $reader
dmsetup remove paths
all_off
pkill -KILL -f "$second"
rm /dev/shm/second.pool /tmp/bytes
