# SPDX-License-Identifier: GPL-2.0
# TEST: a swap file in an ext4 on the disk keeps a program's contents, and the ext4 stays clean
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 60M
mkfs.ext4 -q /dev/farmem0
mkdir -p /tmp/mnt
mount /dev/farmem0 /tmp/mnt
head -c 3M /dev/urandom >/tmp/mnt/bystander
sum=$(md5sum </tmp/mnt/bystander)
dd if=/dev/zero of=/tmp/mnt/swap bs=1M count=32 conv=fsync status=none
chmod 600 /tmp/mnt/swap
mkswap -q /tmp/mnt/swap
swapon /tmp/mnt/swap
run_squeezed 12M farmem-memory 24 fill random
swapoff /tmp/mnt/swap
umount /tmp/mnt
e2fsck -fn /dev/farmem0 >/tmp/fsck 2>&1 || die "$(cat /tmp/fsck)"
mount /dev/farmem0 /tmp/mnt
expect_equal "$sum" "$(md5sum </tmp/mnt/bystander)" "a file beside the swap file"
umount /tmp/mnt
expect_idle
