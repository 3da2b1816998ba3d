# SPDX-License-Identifier: GPL-2.0
# TEST: a volume that comes back in other regions goes on: every byte of the same memory is there, of other memory the pages are lost one by one, and what waited across two regions is served
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
mib=$((1 << 20))

# An adapter that registers 4 MiB at a time: each slab is a region.
serve_small() {
	LD_PRELOAD=$(dirname "$(command -v farmem-verify)")/small-regions.so \
		serve --slab-size 4M --pool $pool
}

away() {
	stop_farmemd KILL
	wait_for 20 recovering
}

expect_regions() {
	wait_for 60 live
	expect_equal live "$(value volumes/default state)" "state of the volume"
	expect_equal "$1" "$(counter regions)" "regions"
}

on_the_way() { (($(counter inflight) == 3)); }
parked() { (($(counter parked) == 3)); }
fenced() { [[ $(dmesg_since) == *"no connection yet"* ]]; }

# Of 64 KiB, half of it in the first slab.
torn() { dd bs=64k count=1 iflag=direct,skip_bytes status=none if=/dev/farmem0 skip=$((4 * mib - 32768)); }

serve --slab-size 4M --pool $pool
load_volume 32M io_deadline=-1
expect_equal 1 "$(counter regions)" "regions"
put_data
farmem-pages /dev/farmem0 write=$((28 * mib / 4096 - 8)),16,3

# They get there, or not: nobody looks, and then the queues are gone.
head -c 64k /dev/urandom >/tmp/torn
set_fault delay_ms 100000
set_fault delay_completion 1
dd bs=64k count=1 oflag=direct,seek_bytes status=none if=/tmp/torn of=/dev/farmem0 \
	seek=$((4 * mib - 32768)) conv=notrunc &
writer=$!
farmem-pages /dev/farmem0 check=$((28 * mib / 4096 - 8)),16,3 &
reader=$!
blkdiscard -f -o $((8 * mib)) -l $((16 * mib)) /dev/farmem0 &
discarder=$!
wait_for 20 on_the_way
mark_dmesg
away
wait_for 60 fenced
set_fault delay_completion 0
wait_for 20 parked

serve_small
expect_regions 8
wait $writer || die "a write across two regions failed"
wait $reader || die "a read across two regions failed"
wait $discarder || die "a discard across regions failed"
check_data
torn | cmp - /tmp/torn || die "what was written across two regions is not there"
farmem-pages /dev/farmem0 zeros=$((8 * mib / 4096)),4096
expect_equal 0 "$(counter lost_pages)" "pages lost"
expect_log "volume default: now in 8 regions"

# Other memory: what was written is lost, and no more; in one region again.
away
serve --slab-size 4M
expect_regions 1
expect_equal 4096 "$(counter lost_pages)" "pages lost"
farmem-pages /dev/farmem0 lost=0,1024 zeros=$((8 * mib / 4096)),4096
put_data
check_data

# And the former one, in many.
away
serve_small
expect_regions 8
expect_equal 512 "$(counter lost_pages)" "pages lost"
torn | cmp - /tmp/torn || die "what was written across two regions is not there any more"
unload
rm $pool
