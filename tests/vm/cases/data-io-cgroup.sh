# SPDX-License-Identifier: GPL-2.0
# TEST: io.stat of a cgroup counts its I/O and its swap, and io.max holds its I/O back
# KERNELS: 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

group=/sys/fs/cgroup/io

# stat KEY - of the disk, of that cgroup.
stat() {
	awk -v disk="$numbers" -v key="$1" '$1 == disk {
		for (n = 2; n <= NF; n++)
			if (split($n, pair, "=") == 2 && pair[1] == key)
				found = pair[2]
	} END { print found + 0 }' $group/io.stat
}
# in_group CMD...
in_group() {
	# shellcheck disable=SC2016 # the inner shell's arguments
	sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' $group "$@"
}

serve
load_volume 48M
numbers=$(</sys/block/farmem0/dev)
echo +io +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir $group
in_group dd if=/dev/urandom of=/dev/farmem0 bs=1M count=4 oflag=direct status=none
expect_equal $((4 << 20)) "$(stat wbytes)" "bytes written, by io.stat"
in_group dd if=/dev/farmem0 of=/dev/null bs=1M count=4 iflag=direct status=none
expect_equal $((4 << 20)) "$(stat rbytes)" "bytes read, by io.stat"

# Eight reads at two a second: not over in less than two seconds, however slow the guest.
echo "$numbers riops=2" >$group/io.max
start=$(date +%s%N)
in_group dd if=/dev/farmem0 of=/dev/null bs=4k count=8 iflag=direct status=none
took=$(($(date +%s%N) - start))
expect_at_least 2000000000 $took "nanoseconds that io.max held eight reads for"
echo "$numbers riops=max" >$group/io.max

before=$(stat wbytes)
swap_on
echo 8M >$group/memory.high
in_group farmem-memory 16 fill sequential
expect_at_least $((before + (4 << 20))) "$(stat wbytes)" "bytes written and swapped out, by io.stat"
swapoff /dev/farmem0
rmdir $group
expect_idle
