# SPDX-License-Identifier: GPL-2.0
# TEST: a volume's disk and partition are found by name, UUID and what is on them, lsblk fills its columns, a chunk of md's is left to its owner, and all that stays while the server is away and I/O waits for ever, when no event keeps udev waiting
# NODES: 2
# KERNELS: 6.1
# SYSTEM: yes
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

uuid=11111111-2222-3333-4444-555555555555

# leads_to LINK DISK - is it a link there?
leads_to() { [[ $(readlink -f "/dev/$1") == "/dev/$2" ]]; }

all_lead() {
	local link

	for link in {farmem/by-name/far0,farmem/by-uuid/$uuid,{farmem,disk}/by-id/farmem_$uuid}; do
		leads_to "$link" farmem0 || die "/dev/$link does not lead to farmem0: $(udevadm info /dev/farmem0)"
		leads_to "$link-part1" farmem0p1 || die "/dev/$link-part1: $(udevadm info /dev/farmem0p1)"
	done
	leads_to disk/by-label/far-data farmem0p1 || die "by-label: $(udevadm info /dev/farmem0p1)"
	leads_to disk/by-partlabel/far-part farmem0p1 || die "by-partlabel: $(udevadm info /dev/farmem0p1)"
}

on-memory-node bash -c "printf '%s\n' 'size = 256M' 'listen = $SERVER' 'insecure = yes' 'pool = /dev/shm/pool' >/etc/farmem/farmemd.conf"
on-memory-node systemctl start farmemd || die "$(on-memory-node journalctl -u farmemd)"
modprobe farmem
farmemctl volume create far0 --size 128M --server "$FARMEM_SERVER" --uuid $uuid --io-deadline -1
wait_for 30 leads_to farmem/by-name/far0 farmem0 || die "$(udevadm info /dev/farmem0)"

sfdisk --quiet /dev/farmem0 <<<$'label: gpt\nname=far-part'
wait_for 30 leads_to farmem/by-name/far0-part1 farmem0p1
mke2fs -q -L far-data /dev/farmem0p1
wait_for 30 leads_to disk/by-label/far-data farmem0p1
all_lead
expect_equal "farmem $uuid" "$(lsblk -dno MODEL,SERIAL /dev/farmem0 | xargs)" "lsblk's columns"
expect_equal ext2 "$(lsblk -dno FSTYPE /dev/farmem0p1)" "its file system"
expect_equal active "$(systemctl is-active 'dev-farmem-by\x2dname-far0.device')" "systemd's unit"

# Away: farmemd goes with its sessions, and the pool stays.
on-memory-node systemctl stop farmemd
wait_for 60 recovering "$SERVER"
in_time 60 udevadm settle
all_lead
expect_equal active "$(systemctl is-active 'dev-farmem-by\x2dname-far0.device')" "systemd's unit, the server away"
on-memory-node systemctl start farmemd
wait_for 120 live "$SERVER"
in_time 60 udevadm settle
all_lead
mount LABEL=far-data /mnt
umount /mnt

# A chunk of a mirror: magic number and place of a superblock of md's.
wipefs --quiet --all /dev/farmem0p1 /dev/farmem0
printf '\xfc\x4e\x2b\xa9\x01' | dd of=/dev/farmem0 bs=1 seek=4096 conv=notrunc status=none
printf '\x08' | dd of=/dev/farmem0 bs=1 seek=4240 conv=notrunc status=none
# Rules as other distributions have them, which ask for the type alone.
mkdir -p /run/udev/rules.d
echo 'ENV{ID_FS_TYPE}=="linux_raid_member", RUN+="/bin/touch /run/taken"' >/run/udev/rules.d/65-md.rules
udevadm control --reload
in_time 60 udevadm trigger --settle --action=change /dev/farmem0
udevadm info --query=property /dev/farmem0 >/tmp/properties
expect_fail test -e /run/taken
expect_text ID_FS_TYPE=farmem_raid_member "$(</tmp/properties)" "udev's properties"
expect_text SYSTEMD_READY=0 "$(</tmp/properties)" "udev's properties"

farmemctl volume delete far0
in_time 60 udevadm settle
expect_fail test -e /dev/farmem/by-name/far0
expect_fail test -e /dev/disk/by-label/far-data
