# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd gives free memory back to a machine that needs it and lends it again later; what is lent stays
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

MIB=$((1 << 20))
POOL=/dev/shm/farmem.pool
# The machine's programs, whose memory can't be had back: files of a tmpfs.
mkdir -p /tmp/programs
mount -t tmpfs -o size=2G none /tmp/programs

server() { farmemctl server show --json | jq ".server[0].$1"; }
holds() { [[ $(server held) == $(($1 * MIB)) ]]; }
has_room() { (($(server free) >= $1 * MIB)); }
has_none() { [[ $(server free) == 0 ]]; }
available() { awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo; }
# taken MIB - by the file system: what it has of the pool
taken() { (($(stat -c %b "$POOL") * 512 / MIB == $1)); }

# programs_leave MIB - so much is left to the machine
programs_leave() {
	fallocate -l "$(($(available) - $1))M" /tmp/programs/all
}

serve --size 32M..160M --slab-size 4M --headroom 400M --pool $POOL
expect_equal $((32 * MIB)) "$(server held)" "memory that farmemd has at its start"
wait_for 20 has_room 160

echo "lent as it is wanted, and kept while the machine is short"
load
farmemctl session create default --server "$SERVER" --connect-timeout $CONNECT_TIMEOUT
farmemctl volume create one --size 96M --session default
wait_for 20 holds 96
verify_start
programs_leave 350
wait_for 20 has_none
verify_more
expect_equal $((96 * MIB)) "$(server held)" "memory that is lent while the machine is short"

echo "another farmemd takes over what there is, and no more"
replace_farmemd --size 32M..160M --slab-size 4M --headroom 400M --pool $POOL
wait_for 20 has_none
expect_equal $((96 * MIB)) "$(server held)" "memory that the next farmemd has"
verify_more
verify_end

echo "given up by its client: the machine's"
make_volume more session=default size=8M
expect_refusal 'too little free memory' volumes/more
rmdir $CONFIG/volumes/more
farmemctl volume delete one
farmemctl session delete default
wait_for 60 holds 32
wait_for 20 taken 32
gave() { (($(server given_back) >= $1 * MIB)); }
wait_for 20 gave 64

echo "and lent again when the machine has some"
rm /tmp/programs/all
wait_for 60 has_room 160
farmemctl volume create again --size 128M --server "$SERVER"
expect_equal $((128 * MIB)) "$(server held)" "memory that farmemd has again"
disk=$(value volumes/again device)
zeros "/dev/$disk" $((128 * MIB)) || die "memory that was lent before is not zeros"
put_data "$disk"
check_data "$disk"
farmemctl volume delete again
umount /tmp/programs
unload
