# SPDX-License-Identifier: GPL-2.0
# TEST: an adapter that reads into one SGE alone carries a volume: file system, swap, page states
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

load
adapter_says max_sge_rd=1 max_mapping=8192
serve
make_session default
make_volume default session=default size=48M
power_on sessions/default
power_on volumes/default
expect_equal 1 "$(</sys/block/farmem0/queue/max_segments)" "segments of a bio"
fio_verify libaio 16 --iomem_align=4k
fio_verify psync 1 --iomem_align=4k
! said=$(farmem-pages /dev/farmem0 scatter=0,40,7,512 2>&1) || die "a page across two was taken"
expect_text "Invalid argument" "$said" "what is said of a page across two"
farmem-pages /dev/farmem0 scatter=0,400,7 check=0,400,7 gather=0,400,7
within 60 blkdiscard -f -o 20M -l 24M /dev/farmem0
# 12288 page states.
within 60 sh -c "echo 0 >$CONFIG/volumes/default/power"
within 60 sh -c "echo 1 >$CONFIG/volumes/default/power"
farmem-pages /dev/farmem0 check=0,400,7 zeros=5120,6144
mkfs.ext4 -q /dev/farmem0
mkdir -p /tmp/mnt
mount -o discard /dev/farmem0 /tmp/mnt
head -c 8M /dev/urandom >/tmp/data
cp /tmp/data /tmp/mnt/data
umount /tmp/mnt
echo 3 >/proc/sys/vm/drop_caches
mount /dev/farmem0 /tmp/mnt
cmp /tmp/mnt/data /tmp/data
umount /tmp/mnt
swap_on
run_squeezed 14M farmem-memory 28 fill random
swapoff /dev/farmem0
expect_idle
all_off
