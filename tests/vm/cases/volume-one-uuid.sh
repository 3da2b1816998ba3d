# SPDX-License-Identifier: GPL-2.0
# TEST: a second volume with the uuid of one that is on is refused, however often it is asked for, and takes nothing from the first
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
make_session s client=tester
make_session near server=local
for session in s near; do
	power_on "sessions/$session"
	make_volume first session=$session size=4M
	power_on volumes/first
	farmem-pages /dev/farmem0 write=0,1024,1
	make_volume twin session=$session size=4M "uuid=$(value volumes/first uuid)"
	for _ in 1 2; do
		expect_refusal 'volume first has this uuid and is on; give each volume its own uuid' volumes/twin
		farmem-pages /dev/farmem0 check=0,1024,1
	done
	expect_equal live "$(value "sessions/$session" state)" "state of the session"
	# It is the same memory, for one at a time.
	power_off volumes/first
	power_on volumes/twin
	farmem-pages /dev/farmem0 check=0,1024,1
	power_off volumes/twin
	rmdir "$CONFIG/volumes/first" "$CONFIG/volumes/twin"
done
all_off
