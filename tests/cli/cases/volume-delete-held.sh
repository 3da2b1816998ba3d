# Whatever holds a disk is named: on a partition, in a table of its own, elsewhere.
scene_volume
disk=$box/sys/block/farmem0
touch "$disk/.open"
mkdir -p "$disk/farmem0p1/holders" "$disk/farmem0p2/holders" "$disk/queue" "$box/sys/block/loop3/loop" \
	"$box/sys/block/zram1" "$box/proc/4711" "$box/proc/12"
echo 1 >"$disk/farmem0p1/partition"
echo 251:1 >"$disk/farmem0p1/dev"
echo 2 >"$disk/farmem0p2/partition"
echo 251:2 >"$disk/farmem0p2/dev"
echo '30 21 8:1 / / rw - ext4 /dev/sda1 rw' >"$box/proc/12/mountinfo"
cp "$box/proc/swaps" "$box/swaps"

echo "/dev/farmem0p2 partition 4194300 0 100" >>"$box/proc/swaps"
ctl volume delete data
ctl volume list -n -o use
cp "$box/swaps" "$box/proc/swaps"
echo '30 21 251:1 / /mnt/far rw shared:1 - ext4 /dev/disk/by-uuid/x rw' >"$box/proc/self/mountinfo"
ctl volume delete data
# btrfs has a number of its own.
echo '30 21 0:47 / /mnt/btrfs rw - btrfs /dev/farmem0p1 rw' >"$box/proc/self/mountinfo"
ctl volume delete data
echo '30 21 0:47 / /mnt/btrfs rw - btrfs /dev/farmem0 rw' >"$box/proc/self/mountinfo"
ctl volume delete data
ctl volume list -n -o use
echo '30 21 0:47 / /mnt/other rw - btrfs /dev/farmem01 rw' >"$box/proc/self/mountinfo"
echo '31 21 251:0 / /data rw - xfs /dev/farmem0 rw' >"$box/proc/4711/mountinfo"
ctl volume delete data
rm "$box/proc/4711/mountinfo"
# Blanks and the like are octal in tables.
printf '%s\n' '30 21 251:1 / /mnt/far\040away rw shared:1 - ext4 /dev/farmem0p1 rw' >"$box/proc/self/mountinfo"
ctl volume delete data
ctl volume list -n -o use
tool volume list --json -o use | jq -c '.volumes[].use'
# Of several devices of a btrfs the table of mounts names one, by any of its names.
mkdir "$box/dev"
touch "$box/dev/sdz"
ln -s "$box/dev/sdz" "$box/link"
echo "30 21 0:47 / /mnt/pool rw - btrfs $box/link rw" >"$box/proc/self/mountinfo"
mkdir -p "$box/sys/fs/btrfs/features" "$box/sys/fs/btrfs/5eed/devices"
FARMEM_ROOT=$box ctl volume delete data | grep -c mounted
touch "$box/sys/fs/btrfs/5eed/devices/sdz" "$box/sys/fs/btrfs/5eed/devices/farmem0p2"
FARMEM_ROOT=$box ctl volume delete data
rm -r "$box/sys/fs"
: >"$box/proc/self/mountinfo"
mkdir "$disk/farmem0p2/holders/dm-0"
ctl volume delete data
rmdir "$disk/farmem0p2/holders/dm-0"
# Files of the disk's name, which are not the disk.
echo /srv/farmem0 >"$box/sys/block/loop3/loop/backing_file"
echo "/swap/farmem0 file 4194300 0 100" >>"$box/proc/swaps"
echo '30 21 0:50 / /mnt/nfs rw - nfs nas:/x/farmem0 rw' >"$box/proc/self/mountinfo"
ctl volume delete data
cp "$box/swaps" "$box/proc/swaps"
: >"$box/proc/self/mountinfo"
echo /dev/farmem0 >"$box/sys/block/loop3/loop/backing_file"
ctl volume delete data
ctl volume list -n -o use
echo /dev/sda >"$box/sys/block/loop3/loop/backing_file"
echo /dev/farmem0p1 >"$box/sys/block/zram1/backing_dev"
ctl volume delete data
echo none >"$box/sys/block/zram1/backing_dev"
ctl volume delete data
left
