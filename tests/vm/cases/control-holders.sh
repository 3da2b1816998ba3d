# SPDX-License-Identifier: GPL-2.0
# TEST: farmemctl names what holds a volume: file systems, swap, dm, loop devices, zram and btrfs, on the disk and on a partition
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# held TEXT NEXT - by what, and how that ends
held() {
	local status=0

	farmemctl volume delete default --keep >/tmp/said 2>&1 || status=$?
	expect_equal 1 $status "status of farmemctl volume delete ($(</tmp/said))"
	expect_text "$1" "$(</tmp/said)" "what farmemctl says"
	expect_text "next: $2" "$(</tmp/said)" "what farmemctl says to do"
	live || die "the session is not live any more"
}

modprobe -a loop dm_mod ext4
serve --size 256M
load_volume 256M
addpart /dev/farmem0 1 2048 81920
addpart /dev/farmem0 2 83968 262144
wait_for 10 test -b /dev/farmem0p2
point='/tmp/a point'
mkdir -p "$point"

mkfs.ext4 -q /dev/farmem0p1
mount /dev/farmem0p1 "$point"
held "mounted on $point" "umount '$point'"
# A file on it is open as well; the disk is held by the file system.
truncate -s 8M "$point/file"
losetup /dev/loop0 "$point/file"
held "mounted on $point" "umount '$point'"
losetup -d /dev/loop0
umount "$point"

mkswap -q /dev/farmem0p1
swapon /dev/farmem0p1
held 'in use as swap' 'swapoff /dev/farmem0p1'
swapoff /dev/farmem0p1

echo "0 $(blockdev --getsz /dev/farmem0p1) linear /dev/farmem0p1 0" | dmsetup create --noudevsync onpart
held 'in use by /dev/dm-' 'lsblk /dev/farmem0'
dmsetup remove --noudevsync onpart

losetup /dev/loop0 /dev/farmem0
held 'in use by loop device /dev/loop0' 'losetup -d /dev/loop0'
losetup -d /dev/loop0
losetup /dev/loop0 /dev/farmem0p2
held 'in use by loop device /dev/loop0' 'losetup -d /dev/loop0'
losetup -d /dev/loop0

modprobe zram
if [[ -e /sys/block/zram0/backing_dev ]]; then
	echo /dev/farmem0p1 >/sys/block/zram0/backing_dev
	# 5.10 gives the backing device of a disk without a size never back.
	echo 8M >/sys/block/zram0/disksize
	held 'the backing device of /dev/zram0' 'swapoff /dev/zram0; echo 1 >/sys/block/zram0/reset'
	echo 1 >/sys/block/zram0/reset
fi
rmmod zram

if command -v mkfs.btrfs && modprobe btrfs; then
	truncate -s 120M /tmp/first
	losetup /dev/loop0 /tmp/first
	mkfs.btrfs -q -f -d single -m single /dev/loop0 /dev/farmem0p2
	btrfs device scan /dev/loop0 /dev/farmem0p2
	mount -t btrfs /dev/loop0 "$point"
	held "mounted on $point" "umount '$point'"
	umount "$point"
	losetup -d /dev/loop0
fi

# An end of what held it, and it is free.
farmemctl volume delete default --keep
unload
