# SPDX-License-Identifier: GPL-2.0
# TEST: every malformed GRANT (overflow, gap, overlap, too many, wrong generation...) is refused, no disk is made
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# What is wrong with the first answer, the second, ...
answers=(
	grant.msg.magic=0 grant.msg.type=2 grant.msg.length=100 grant.msg.id=1000 'grant.uuid[0]=0'
	grant.bytes=192 grant.bytes=191 grant.bytes=16 grant.bytes=8
	grant.generation=1 grant.slab_size=2097152 grant.slab_size=0 grant.slab_size=1048577
	grant.slabs=0 grant.slabs=2 grant.slabs=0xffffffff
	grant.capacity=0 grant.capacity=4096 grant.capacity=2097152
	grant.parts=0 grant.part=1 grant.region_count=0 grant.region_count=2 grant.region_count=65535
	# Regions that wrap around the address space, or miss the volume.
	region0.addr=0xfffffffffff80000 region0.meta_addr=0xffffffffffffff80
	region0.first_slab=1 region0.first_slab=0xffffffff
	region0.slab_count=0 region0.slab_count=2 region0.slab_count=0xffffffff
	# Two that overlap, are in the wrong order, reach too far, leave a gap, or an end.
	'regions=2 region1.first_slab=0'
	'regions=2 region0.first_slab=1 region1.first_slab=0'
	'regions=2 region1.slab_count=2'
	'regions=2 region1.first_slab=2'
	'regions=2 grant.slabs=3 grant.capacity=3145728'
	'regions=2 grant.slabs=1 grant.capacity=1048576'
)
arguments=()
for answer in "${answers[@]}"; do
	# shellcheck disable=SC2206 # words on purpose
	arguments+=($answer ",")
done
# Then less than what is asked for, then a sound one.
fake_server "${arguments[@]}" regions=1 , regions=2

load
make_session s queues=1
make_volume v session=s size=1M
power_on sessions/s
for answer in "${answers[@]}" 'too small'; do
	echo "$answer"
	[[ $answer != 'too small' ]] || echo 2M >$CONFIG/volumes/v/size
	expect_refusal "the server's GRANT does not make sense; is it a farmemd of this version?" volumes/v
	expect_equal '' "$(value volumes/v device)" "device"
	expect_equal live "$(value sessions/s state)" "state of the session"
done
! compgen -G '/dev/farmem*' || die "there is a disk"

power_on volumes/v
put_data
check_data
all_off
