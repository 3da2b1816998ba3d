# SPDX-License-Identifier: GPL-2.0
# TEST: an ext4 mounted with discard, its files deleted and written anew, is right and clean
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
mkfs.ext4 -q -E nodiscard /dev/farmem0
mkdir -p /tmp/mnt
mount -o discard /dev/farmem0 /tmp/mnt
for round in 1 2; do
	for i in {1..12}; do
		head -c $((i * 40000)) /dev/urandom >"/tmp/mnt/$round.$i"
	done
	sync -f /tmp/mnt
	rm /tmp/mnt/"$round".{2,4,6,8,10,12}
	sync -f /tmp/mnt
done
fstrim /tmp/mnt
expect_at_least 1 "$(counter discards)" "discards"
expect_at_least 1000 "$(counter zero_pages)" "discarded pages"
(cd /tmp/mnt && md5sum ./*.*) >/tmp/sums
umount /tmp/mnt
reload 32M
e2fsck -fn /dev/farmem0 >/tmp/fsck 2>&1 || die "$(cat /tmp/fsck)"
mount /dev/farmem0 /tmp/mnt
(cd /tmp/mnt && md5sum --quiet -c /tmp/sums)
umount /tmp/mnt
expect_idle
