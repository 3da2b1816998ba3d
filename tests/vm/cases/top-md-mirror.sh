# SPDX-License-Identifier: GPL-2.0
# TEST: a mirror (md raid1) of volumes on two servers, one of which is killed: no error reaches the file system, and the mirror is made whole again
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

second=$FARMEM_SERVER:7472

serve_second() {
	setsid farmemd --insecure --size 64M --listen "$second" --control /run/second.sock \
		>/tmp/second.log 2>&1 </dev/null &
	wait_for 30 grep -qw ready /tmp/second.log
}
degraded() { [[ $(</sys/block/md0/md/degraded) == 1 ]]; }
whole() { [[ $(</sys/block/md0/md/degraded) == 0 && $(</sys/block/md0/md/sync_action) == idle ]]; }
gone() { ! pgrep -f "$second"; }

modprobe -a raid1 ext4
serve
serve_second
load
make_session left client=tester
make_session right client=tester server="$second"
for side in left right; do
	power_on sessions/$side
	make_volume $side session=$side size=48M io_deadline=3
	power_on volumes/$side
done
left=/dev/$(value volumes/left device) right=/dev/$(value volumes/right device)
mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean --metadata=1.2 \
	"$left" "$right"
mkfs.ext4 -q /dev/md0
mkdir -p /tmp/mnt
mount /dev/md0 /tmp/mnt
fallocate -l 24M /tmp/mnt/file
VERIFY_DISK=/tmp/mnt/file
verify_start
pkill -KILL -f "$second"
wait_for 60 degraded
verify_more
verify_more

# The other one comes back, with empty memory: what was in it is lost, and md writes it anew.
wait_for 10 gone
serve_second
wait_for 60 live right
mdadm /dev/md0 --remove "$right"
! dd if="$right" of=/dev/null bs=4k count=1 iflag=direct status=none 2>/dev/null ||
	die "what was lost can be read"
blkdiscard -f "$right"
mdadm /dev/md0 --add "$right"
wait_for 120 whole
verify_more
stop_farmemd KILL
wait_for 60 degraded
verify_more
verify_end
umount /tmp/mnt
fsck.ext4 -fn /dev/md0
mdadm --stop /dev/md0
all_off
pkill -KILL -f "$second"
