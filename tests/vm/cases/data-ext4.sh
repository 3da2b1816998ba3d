# SPDX-License-Identifier: GPL-2.0
# TEST: an ext4 is made, filled, unmounted, found the same when mounted again, also after a reload, and clean
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
mkfs.ext4 -q /dev/farmem0
mkdir -p /tmp/mnt
mount /dev/farmem0 /tmp/mnt
for i in {1..16}; do
	head -c $((i * 15000)) /dev/urandom >"/tmp/mnt/file$i"
done
mkdir /tmp/mnt/folder
cp /tmp/mnt/file{11,12,13} /tmp/mnt/folder
rm /tmp/mnt/file{3,10}
(cd /tmp/mnt && find . -type f -exec md5sum {} + | sort) >/tmp/sums
umount /tmp/mnt

compare() {
	e2fsck -fn /dev/farmem0 >/tmp/fsck 2>&1 || die "$(cat /tmp/fsck)"
	mount /dev/farmem0 /tmp/mnt
	(cd /tmp/mnt && find . -type f -exec md5sum {} + | sort) | cmp - /tmp/sums
	umount /tmp/mnt
}
compare
reload 32M
compare
expect_idle
