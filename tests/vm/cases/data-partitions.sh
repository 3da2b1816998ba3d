# SPDX-License-Identifier: GPL-2.0
# TEST: partitions on the disk are found, lie where the table says, and keep apart
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

# le32 NUMBER - as printf wants it.
le32() {
	printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)) \
		$(($1 >> 16 & 255)) $(($1 >> 24 & 255))
}

# An MBR with two primary partitions, in logical blocks of 4096.
# shellcheck disable=SC2059
table() {
	head -c 446 /dev/zero
	printf "\0\0\0\0\x83\0\0\0$(le32 256)$(le32 1024)"
	printf "\0\0\0\0\x82\0\0\0$(le32 1280)$(le32 5120)"
	head -c 32 /dev/zero
	printf '\x55\xaa'
	head -c 3584 /dev/zero
}

serve
load_volume 32M
table | dd of=/dev/farmem0 bs=4k iflag=fullblock oflag=direct status=none
blockdev --rereadpt /dev/farmem0
expect_equal 2048 "$(</sys/block/farmem0/farmem0p1/start)" "start of the first partition"
expect_equal 8192 "$(</sys/block/farmem0/farmem0p1/size)" "its size"
farmem-pages /dev/farmem0p1 write=0,1024,1
farmem-pages /dev/farmem0p2 write=0,2048,2
blkdiscard -f -o 4096 -l 8k /dev/farmem0p2
farmem-pages /dev/farmem0p1 check=0,1024,1
farmem-pages /dev/farmem0p2 check=0,1,2 zeros=1,2 check=3,2045,2
farmem-pages /dev/farmem0 zeros=1281,2 zeros=1,255 zeros=6400,768
dd if=/dev/farmem0 bs=4k skip=256 count=1024 iflag=direct status=none |
	cmp - <(dd if=/dev/farmem0p1 bs=1M iflag=direct status=none)
# Slots of a swap area in a partition are freed where they are.
mkswap -q /dev/farmem0p2
swapon /dev/farmem0p2
run_squeezed 12M farmem-memory 20 fill sequential
swapoff /dev/farmem0p2
expect_at_least 1 "$(counter slot_frees)" "slot_frees"
farmem-pages /dev/farmem0p1 check=0,1024,1
reload 32M
wait_for 5 test -b /dev/farmem0p1
farmem-pages /dev/farmem0p1 check=0,1024,1
expect_idle
