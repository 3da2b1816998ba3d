# SPDX-License-Identifier: GPL-2.0
# TEST: I/O across slabs and regions, which lie apart on the server, keeps every byte in its place
. "$FARMEM_TESTS/vm/cases.sh"

serve --size 8M --slab-size 1M
load
for name in s t; do
	make_session "$name" client="$name"
	power_on "sessions/$name"
done
for name in s1 t2 s3 t4 s5; do
	make_volume "$name" session="${name:0:1}" size=1M
	power_on "volumes/$name"
done
# Every other slab is free again when t's queues are gone, so a larger volume
# gets pieces.
for name in t2 t4; do
	echo 1 >"$CONFIG/volumes/$name/release"
done
power_off sessions/t
make_volume big session=s size=5M
wait_for 20 set_value volumes/big power 1
disk=$(value volumes/big device)
expect_equal 5 "$(counter slabs "$disk")" "slabs"
expect_at_least 3 "$(counter regions "$disk")" "regions"
farmem-pages "/dev/$disk" write=0,1280,9 check=0,1280,9 write=250,20,10 check=230,20,9 \
	check=250,20,10 check=270,1010,9 scatter=1004,40,11 gather=1004,40,11 check=964,40,9 check=1044,40,9
# The slabs between are others' and were never written.
for name in s1 s3 s5; do
	cmp -n 1M "/dev/$(value "volumes/$name" device)" /dev/zero
done
blkdiscard -f -o $((1 << 20)) -l 2M "/dev/$disk"
farmem-pages "/dev/$disk" check=0,250,9 zeros=256,512 check=768,236,9
expect_idle "$disk"
all_off
