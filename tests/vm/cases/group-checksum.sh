# SPDX-License-Identifier: GPL-2.0
# TEST: a group with copies and checksums: pages that a server's memory changed are read from the other copy, counted, and mended there, by a read or by a scrub
# TIMEOUT: 300
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

# md lets a disk go that has failed 20 times in an hour.
PAGES=8
volume=/dev/far/volume

marker() { printf 'farmem page %04d on this group' "$1"; }

# Both copies have it.
write_markers() {
	local n

	for ((n = 0; n < 2 * PAGES; n++)); do
		marker "$n" | dd of=$volume bs=4096 count=1 seek=$((n * 16)) conv=sync,notrunc oflag=direct iflag=fullblock status=none
	done
}

# flip SERVER FIRST - a bit in so many pages of that server's copy
flip() {
	local n at places pool=/dev/shm/rack/$1

	places=$(grep -abo 'farmem page [0-9]* on this group' "$pool")
	for ((n = $2; n < $2 + PAGES; n++)); do
		at=$(sed -n "s/:$(marker "$n")//p" <<<"$places")
		[[ $at =~ ^[0-9]+$ ]] || die "server $1 has page $n at '$at'"
		printf F | dd of="$pool" bs=1 seek="$at" conv=notrunc status=none
	done
}

read_markers() {
	local n

	for ((n = 0; n < 2 * PAGES; n++)); do
		expect_equal "$(marker "$n")" "$(dd if=$volume bs=4096 count=1 skip=$((n * 16)) iflag=direct status=none | tr -d '\0')" "page $n"
	done
}

# good SERVER - how many pages its copy has as they were written
good() { grep -aoE 'farmem page [0-9]{4} on this group' "/dev/shm/rack/$1" | sort -u | wc -l; }
mismatches() { cat /sys/block/farmem*/farmem/checksum_errors | awk '{ n += $1 } END { print n }'; }

RACK=2 RACK_SIZE=32M
modprobe -a raid1 dm-mod
load
mkdir -p /dev/shm/rack
for n in 1 2; do
	rack_serve "$n" --pool "/dev/shm/rack/$n"
done
group_make far 16M --copies 2 --checksum crc32c
write_markers
expect_equal "$((2 * PAGES)) $((2 * PAGES))" "$(good 1) $(good 2)" "pages that both copies have"
expect_equal 0 "$(mismatches)" "mismatches so far"

echo "some pages of one copy change, and others of the other one"
flip 1 0
flip 2 "$PAGES"
expect_equal "$PAGES $PAGES" "$(good 1) $(good 2)" "pages that are left"
# md reads a copy of its choice: which pages are found is its business.
read_markers
expect_at_least 1 "$(mismatches)" "mismatches found by reads"
expect_at_least "$((2 * PAGES + 1))" "$(($(good 1) + $(good 2)))" "good pages after reads"

echo "a scrub finds the rest"
farmemctl group scrub far
expect_equal "$((2 * PAGES)) $((2 * PAGES))" "$(good 1) $(good 2)" "pages that are good again"
read_markers
group_is far live || die "the group is $(group_state far)"
farmemctl group delete far
rack_gone
unload
pkill -KILL -f "/run/rack"
rm -rf /dev/shm/rack
