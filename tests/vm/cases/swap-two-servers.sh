# SPDX-License-Identifier: GPL-2.0
# TEST: swap of one priority on volumes of two servers: the kernel stripes, each takes its part, and every byte is right
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

second=$FARMEM_SERVER:7472

serve
setsid farmemd --insecure --size 64M --listen "$second" --control /run/second.sock \
	>/tmp/second.log 2>&1 </dev/null &
wait_for 30 grep -qw ready /tmp/second.log
load
make_session left client=tester
make_session right client=tester server="$second"
disks=()
for side in left right; do
	power_on sessions/$side
	make_volume $side session=$side size=48M
	power_on volumes/$side
	disks+=("$(value volumes/$side device)")
	mkswap -q "/dev/${disks[-1]}"
	swapon --priority 5 "/dev/${disks[-1]}"
done
run_squeezed 16M farmem-memory 48 fill random sequential
for disk in "${disks[@]}"; do
	expect_at_least $((8 << 20)) "$(counter write_bytes "$disk")" "bytes swapped out to $disk"
	expect_at_least $((8 << 20)) "$(counter read_bytes "$disk")" "bytes swapped in from $disk"
	swapoff "/dev/$disk"
done
all_off
pkill -f "$second"
