# SPDX-License-Identifier: GPL-2.0
# TEST: an uncorrectable memory error in the pool costs the volume that has it, as an error; the pool is taken over, and other volumes go on
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

went_on() { [[ $(value sessions/whole state) == live ]]; }

serve --pool $pool
load
# The first slab of the pool, and the second.
for name in hurt whole; do
	make_session $name client=$name
	make_volume $name session=$name size=16M io_deadline=5
	power_on sessions/$name
	power_on volumes/$name
done
hurt=/dev/$(value volumes/hurt device)
whole=/dev/$(value volumes/whole device)
farmem-pages "$hurt" write=0,4096,1
farmem-pages "$whole" write=0,4096,2
farmem-poison $pool $((5 * 4096))
farmem-pages "$whole" check=0,4096,2

stop_farmemd KILL
serve --pool $pool
wait_for 60 went_on
farmem-pages "$whole" check=0,4096,2
expect_text 'pool: slab 0 has an uncorrectable memory error' "$(farmemd_log)" "farmemd's log"
! dd if="$hurt" of=/dev/null bs=4k count=8 iflag=direct status=none 2>/dev/null ||
	die "what is gone was read"

# What the volume had is given up; a new one gets other slabs, and zeros.
power_off volumes/hurt
rmdir $CONFIG/volumes/hurt
power_off sessions/hurt
farmemctl server release --client hurt
power_on sessions/hurt
make_volume hurt session=hurt size=32M
power_on volumes/hurt
hurt=/dev/$(value volumes/hurt device)
farmem-pages "$hurt" zeros=0,8192
farmem-pages "$whole" check=0,4096,2
all_off
stop_farmemd
rm $pool
