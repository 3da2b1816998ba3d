# SPDX-License-Identifier: GPL-2.0
# TEST: LVM over md pairs of volumes on four servers, all by hand: spread, one server killed, its leg replaced, a leg moved, the device grown, discards passed down, every byte right
# LONG: yes
# TIMEOUT: 600
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

# What no udev of ours does; LVM knows no disks of farmem's, unless told.
lvm() {
	DM_DISABLE_UDEV=1 LVM_SYSTEM_DIR=/tmp/lvm LVM_SUPPRESS_FD_WARNINGS=1 command lvm "$1" --config '
		devices { types = [ "farmem", 16 ] scan = [ "/dev" ] use_devicesfile = 0
			filter = [ "a|^/dev/md|", "r|.*|" ] obtain_device_list_from_udev = 0 issue_discards = 1 }
		activation { udev_sync = 0 udev_rules = 0 monitoring = 0 }
		backup { backup = 0 archive = 0 }' "${@:2}"
}

serve_rack() {
	setsid farmemd --insecure --size 128M --slab-size 4M --listen "$FARMEM_SERVER:747$1" \
		--control "/run/rack$1.sock" >"/tmp/rack$1.log" 2>&1 </dev/null &
	wait_for 30 grep -qw ready "/tmp/rack$1.log"
}

# chunk NAME SERVER - makes it.
chunk() {
	make_volume "$1" session="s$2" size=32M io_deadline=3
	power_on "volumes/$1"
}
disk() { echo "/dev/$(value "volumes/$1" device)"; }

# pair NUMBER CHUNK CHUNK
pair() {
	mdadm --quiet --create "/dev/md$1" --run --level=1 --raid-devices=2 --assume-clean --metadata=1.2 \
		--bitmap=internal "$(disk "$2")" "$(disk "$3")"
}
degraded() { [[ $(<"/sys/block/$1/md/degraded") == 1 ]]; }
whole() { [[ $(<"/sys/block/$1/md/degraded") == 0 && $(<"/sys/block/$1/md/sync_action") == idle ]]; }
replaced() { [[ $(<"/sys/block/$1/md/dev-${2#/dev/}/state") == *faulty* ]]; }
# Sectors that a chunk was told to forget.
discarded() { awk -v disk="${1#/dev/}" '$3 == disk { print $17 }' /proc/diskstats; }

modprobe -a raid1 dm-mod
mkdir -p /tmp/lvm
load
for n in 1 2 3 4; do
	serve_rack "$n"
	make_session "s$n" client=tester server="$FARMEM_SERVER:747$n" heartbeat=1 peer_timeout=0.5
	power_on "sessions/s$n"
done
chunk a 1
chunk b 2
chunk c 3
chunk d 1
pair 0 a b
pair 1 c d
lvm vgcreate --quiet --addtag farmem far /dev/md0 /dev/md1
lvm lvcreate --quiet --wipesignatures n --zero n --extents 100%FREE --stripes 2 --name volume far
VERIFY_DISK=/dev/far/volume
verify_start

# One server dies: its leg goes, and a chunk on another server takes its place.
pkill -KILL -f "$FARMEM_SERVER:7472"
wait_for 60 degraded md0
verify_more
chunk e 4
mdadm --quiet /dev/md0 --remove failed
mdadm --quiet /dev/md0 --add "$(disk e)"
wait_for 120 whole md0
verify_more

# A leg moves while both are in use.
chunk f 4
mdadm --quiet /dev/md1 --add "$(disk f)"
mdadm --quiet /dev/md1 --replace "$(disk c)" --with "$(disk f)"
wait_for 120 replaced md1 "$(disk c)"
verify_more
mdadm --quiet /dev/md1 --remove "$(disk c)"
echo 1 >"$CONFIG/volumes/c/release"

# It grows.
chunk g 3
chunk h 1
pair 2 g h
chunk i 4
chunk j 3
pair 3 i j
lvm vgextend --quiet far /dev/md2 /dev/md3
before=$(blockdev --getsize64 /dev/far/volume)
lvm lvextend --quiet --extents +100%FREE far/volume
expect_at_least $((before + (48 << 20))) "$(blockdev --getsize64 /dev/far/volume)" "bytes of the device that grew"
verify_more

# What is discarded is, on both legs.
blkdiscard --offset $((before + (4 << 20))) --length $((8 << 20)) /dev/far/volume
for leg in g h i j; do
	expect_at_least 4096 "$(discarded "$(disk $leg)")" "sectors of $leg that were discarded"
done
verify_end
lvm lvremove --quiet --yes far/volume
lvm vgremove --quiet far
mdadm --quiet --stop /dev/md0 /dev/md1 /dev/md2 /dev/md3
all_off
pkill -KILL -f "/run/rack"
