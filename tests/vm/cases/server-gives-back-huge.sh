# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd lends huge pages that the kernel makes of free memory: what no client has becomes free memory again, what is lent stays, and only what programs would get is asked for
# LONG: yes
# CPUS: 1
# MEMORY: 2G
. "$FARMEM_TESTS/vm/cases.sh"

MIB=$((1 << 20))
HUGE=/tmp/huge
POOL=$HUGE/pool
# The machine's programs, whose memory can't be had back: files of a tmpfs.
mkdir -p /tmp/programs $HUGE
mount -t tmpfs -o size=2G none /tmp/programs
mount -t hugetlbfs -o pagesize=2M none $HUGE

server() { farmemctl server show --json | jq ".server[0].$1"; }
holds() { [[ $(server held) == $(($1 * MIB)) ]]; }
has_room() { (($(server free) >= $1 * MIB)); }
has_none() { [[ $(server free) == 0 ]]; }
wants() { [[ $(server wanted) == $(($1 * MIB)) ]]; }
available() { awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo; }
pages() { cat "/sys/kernel/mm/hugepages/hugepages-2048kB/$1"; }
has_surplus() { [[ $(pages surplus_hugepages) == "$1" ]]; }

OPTIONS=(--size 32M..160M --slab-size 4M --headroom 400M --pool "$POOL")

# With one page behind the slabs, and three that nobody has.
echo 20 >/proc/sys/vm/nr_hugepages
expect_equal 20 "$(pages nr_hugepages)" "huge pages that the kernel could give"
echo 200 >/proc/sys/vm/nr_overcommit_hugepages
serve "${OPTIONS[@]}"
expect_equal 3 "$(pages free_hugepages)" "huge pages that are left"
expect_equal 0 "$(pages surplus_hugepages)" "huge pages that were made at the start"
expect_equal $((32 * MIB)) "$(server held)" "memory that farmemd has at its start"
wait_for 20 has_room 160

echo "lent as it is wanted, and kept while the machine is short"
load
farmemctl session create default --server "$SERVER" --connect-timeout $CONNECT_TIMEOUT
farmemctl volume create one --size 96M --session default
wait_for 20 holds 96
expect_equal 29 "$(pages surplus_hugepages)" "huge pages that were made"
verify_start
fallocate -l "$(($(available) - 300))M" /tmp/programs/all
wait_for 20 has_none
# 14 slabs of two pages; the rest of the pages would be of no use to programs.
wait_for 60 wants 56
verify_more
expect_equal $((96 * MIB)) "$(server held)" "memory that is lent while the machine is short"

echo "another farmemd takes over what there is, and no more"
replace_farmemd "${OPTIONS[@]}"
wait_for 20 has_none
expect_equal $((96 * MIB)) "$(server held)" "memory that the next farmemd has"
verify_more
verify_end

echo "given up by its client: memory of the machine, whether that is short or not"
farmemctl volume delete one
farmemctl session delete default
wait_for 60 holds 32
wait_for 20 has_surplus 0
expect_equal 3 "$(pages free_hugepages)" "huge pages that are left"
rm /tmp/programs/all
wait_for 60 has_room 160
farmemctl volume create again --size 128M --server "$SERVER"
expect_equal $((128 * MIB)) "$(server held)" "memory that farmemd has again"
disk=$(value volumes/again device)
zeros "/dev/$disk" $((128 * MIB)) || die "memory that was lent before is not zeros"
put_data "$disk"
check_data "$disk"
farmemctl volume delete again
wait_for 60 holds 32
wait_for 20 has_surplus 0

echo "the kernel makes no more"
echo 10 >/proc/sys/vm/nr_overcommit_hugepages
# 10 pages are 5 slabs, and 3 that there are 1 more.
has() { [[ $(server free) == $(($1 * MIB)) ]]; }
wait_for 20 has 56
expect_fail farmemctl volume create more --size 64M --server "$SERVER"
farmemctl volume create more --size 56M --server "$SERVER"
farmemctl volume delete more
umount /tmp/programs
unload
stop_farmemd
rm "$POOL"
umount $HUGE
echo 0 >/proc/sys/vm/nr_overcommit_hugepages
echo 0 >/proc/sys/vm/nr_hugepages
