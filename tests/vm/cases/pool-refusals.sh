# SPDX-License-Identifier: GPL-2.0
# TEST: a pool file of another size, that others may open, or that another farmemd has, is refused and left alone
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

# refused TEXT OPTION... - a further farmemd ends with an error that has TEXT.
refused() {
	local status=0

	within 30 farmemd --insecure --listen "$FARMEM_SERVER:7472" --control /tmp/second.sock \
		--pool $pool "${@:2}" 2>/tmp/second.log || status=$?
	((status)) || die "it runs, and should not"
	expect_text "$1" "$(</tmp/second.log)" "what it says"
}

serve --pool $pool
load_volume 32M
put_data
refused 'another farmemd has it' --size 64M
unload
stop_farmemd
refused 'was made with --size 64M and --slab-size' --size 48M
refused 'was made with --size 64M and --slab-size' --size 64M --slab-size 1M
chmod 640 $pool
refused 'that no other user can open' --size 64M
chmod 600 $pool
printf '\377' | dd of=$pool bs=1 seek=$(($(stat -c %s $pool) - 4096 + 20)) conv=notrunc status=none
refused 'the superblock in' --size 64M
printf '\0' | dd of=$pool bs=1 seek=$(($(stat -c %s $pool) - 4096 + 20)) conv=notrunc status=none
serve --pool $pool
load_volume 32M
check_data
unload
rm $pool
