# SPDX-License-Identifier: GPL-2.0
# TEST: a mirror whose legs fail fast (mdadm --failfast), of volumes that wait for ever: one server is killed, md goes on with the other leg, no read waits for the first, and it is re-added when its server is back
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

second=$FARMEM_SERVER:7472

serve_second() {
	setsid farmemd --insecure --size 64M --listen "$second" --control /run/second.sock \
		--pool /dev/shm/second.pool >/tmp/second.log 2>&1 </dev/null &
	wait_for 30 grep -qw ready /tmp/second.log
}
degraded() { [[ $(</sys/block/md0/md/degraded) == 1 ]]; }
whole() { [[ $(</sys/block/md0/md/degraded) == 0 && $(</sys/block/md0/md/sync_action) == idle ]]; }
gone() { ! pgrep -f "$second"; }

modprobe raid1
serve
serve_second
load
make_session left client=tester
make_session right client=tester server="$second" heartbeat=1 peer_timeout=1
for side in left right; do
	power_on sessions/$side
	make_volume $side session=$side size=48M io_deadline=-1
	power_on volumes/$side
done
left=/dev/$(value volumes/left device) right=/dev/$(value volumes/right device)
mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean --metadata=1.2 \
	--bitmap=internal --failfast "$left" "$right"
VERIFY_DISK=/dev/md0
verify_start
pkill -KILL -f "$second"
wait_for 60 degraded
verify_more
expect_equal 0 "$(counter parked "${right#/dev/}")" "I/O that waits for the server that was killed"
# Without the flags, as md reads where the last read ended.
in_time 30 expect_fail dd if="$right" of=/dev/null bs=4k count=1 iflag=direct status=none

# Back with its memory: md copies what its bitmap says (it would refuse to re-add without one).
wait_for 10 gone
serve_second
wait_for 60 live right
mdadm /dev/md0 --re-add "$right"
wait_for 120 whole
verify_more
stop_farmemd KILL
wait_for 60 degraded
verify_more
verify_end
mdadm --stop /dev/md0
all_off
pkill -KILL -f "$second"
rm /dev/shm/second.pool
