# SPDX-License-Identifier: GPL-2.0
# TEST: an uncorrectable memory error in the pool costs a page, which reads as an error until it is written, whether its client goes on or comes anew, and whether farmemd was started again; the volume's other pages and other volumes go on; one in the superblock costs nothing
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
slab=$((4 << 20))

gone_on() { [[ $(value "sessions/$1" state) == live && $(value "volumes/$1" state) == live ]]; }
told() { [[ $(dmesg_since) == *"volume hurt: 1 pages are lost after an uncorrectable memory error"* ]]; }
# In which slab of the pool the volume is that goes on in another one.
slab_of_hurt() { farmemd_log | sed -n 's/.*the volume goes on in slab \([0-9]*\)$/\1/p' | tail -n 1; }
hurt_page() { farmem-poison $pool $(($1 * slab + $2 * 4096)); }

start() {
	serve --slab-size 4M --pool $pool
}

start
load
# The first slab of the pool, and the second.
for name in hurt whole; do
	make_session $name client=$name
	make_volume $name session=$name size=4M io_deadline=-1
	power_on sessions/$name
	power_on volumes/$name
done
hurt=/dev/$(value volumes/hurt device)
whole=/dev/$(value volumes/whole device)
farmem-pages "$hurt" write=0,1000,1
farmem-pages "$whole" write=0,1024,2

# Both sides live: soft-RoCE has the page in the kernel, and looks at nothing.
hurt_page 0 5
farmem-pages "$whole" check=0,1024,2
mark_dmesg
farmemctl server disconnect --client hurt
wait_for 60 told
wait_for 60 gone_on hurt
farmem-pages "$hurt" check=0,5,1 lost=5,1 check=6,994,1 zeros=1000,24
expect_equal 1 "$(counter lost_pages "${hurt#/dev/}")" "pages lost"
farmem-pages "$hurt" write=5,1,7 check=5,1,7
expect_text 'pool: slab 0 has an uncorrectable memory error' "$(farmemd_log)" "farmemd's log"

# A page of the superblock, which the next volume is noted in.
farmem-poison $pool $(((64 << 20) + (64 << 20) / 4096))
make_volume more session=whole size=4M
power_on volumes/more
expect_text 'in the superblock: that page is replaced' "$(farmemd_log)" "farmemd's log"

# Its client goes on at another farmemd; what was written again is there.
hurt_page "$(slab_of_hurt)" 9
stop_farmemd KILL
start
for name in hurt whole; do
	wait_for 60 gone_on $name
done
farmem-pages "$hurt" check=0,5,1 check=5,1,7 check=6,3,1 lost=9,1 check=10,990,1
farmem-pages "$whole" check=0,1024,2

# A client that knows nothing of the volume: it must not read zeros.
hurt_page "$(slab_of_hurt)" 11
power_off volumes/hurt
power_on volumes/hurt
hurt=/dev/$(value volumes/hurt device)
farmem-pages "$hurt" check=0,5,1 check=5,1,7 check=6,3,1 lost=9,1 check=10,1,1 lost=11,1 check=12,988,1
farmem-pages "$hurt" write=9,3,8

# No slab that was bad is ever lent: a volume of all that is left.
make_volume rest session=hurt size=40M
power_on volumes/rest
farmem-pages "/dev/$(value volumes/rest device)" zeros=0,$((10 * 1024))
farmem-pages "$hurt" check=0,5,1 check=5,1,7 check=6,3,1 check=9,3,8 check=12,988,1
all_off
stop_farmemd
rm $pool
