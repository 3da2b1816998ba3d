# SPDX-License-Identifier: GPL-2.0
# TEST: every malformed GRANT (overflow, gap, overlap, too many, wrong generation...) is refused, no disk is made
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

load
make_session s queues=1
make_volume v session=s size=1M

# malformed SPOILT... - in one GRANT
malformed() {
	echo "$*"
	fake_server "$@"
	power_on sessions/s
	expect_refusal "the server's GRANT does not make sense" volumes/v
	expect_equal '' "$(value volumes/v device)" "device"
	power_off sessions/s
}

two=(regions=2)
for wrong in msg.magic=0 msg.type=2 msg.length=100 msg.id=7 uuid[0]=0 bytes=192 bytes=191 bytes=16; do
	malformed "grant.$wrong"
done
for wrong in generation=1 slab_size=2097152 slab_size=0 slab_size=1048577 slabs=0 slabs=2 slabs=0xffffffff capacity=0 capacity=2097152 \
	capacity=4096 parts=0 part=1 region_count=0 region_count=2 region_count=65535; do
	malformed "grant.$wrong"
done
for wrong in addr=0xfffffffffff80000 meta_addr=0xffffffffffffff80 first_slab=1 first_slab=0xffffffff slab_count=0 \
	slab_count=2 slab_count=0xffffffff; do
	malformed "region0.$wrong"
done
malformed "${two[@]}" region1.first_slab=0
malformed "${two[@]}" region0.first_slab=1 region1.first_slab=0
malformed "${two[@]}" region1.slab_count=2
malformed "${two[@]}" region1.first_slab=2
malformed "${two[@]}" grant.slabs=3 grant.capacity=3145728
malformed "${two[@]}" grant.slabs=1 grant.capacity=1048576
# Less than was asked for.
echo 2M >$CONFIG/volumes/v/size
malformed
echo 1M >$CONFIG/volumes/v/size
! compgen -G '/dev/farmem*' || die "there is a disk"

# And a sound one works.
fake_server "${two[@]}"
power_on sessions/s
power_on volumes/v
dd if=/dev/urandom of=/tmp/data bs=1M count=1 status=none
dd if=/tmp/data of=/dev/farmem0 bs=64k oflag=direct status=none
cmp <(dd if=/dev/farmem0 bs=64k iflag=direct status=none) /tmp/data
power_off volumes/v
power_off sessions/s
rmdir $CONFIG/volumes/v $CONFIG/sessions/s
unload
