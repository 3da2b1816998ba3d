# SPDX-License-Identifier: GPL-2.0
# TEST: a single fault at every allocation and step of connecting while a session recovers: a later attempt succeeds, and what waited is done
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

# A fault struck if an attempt to reconnect did not succeed.
struck() {
	[[ $(dmesg_since) == *"no connection yet"* ]]
}

serve
load_volume 32M io_deadline=-1 queues=2 heartbeat=0
for fault in fail_alloc fail_cm; do
	for ((n = 1; n <= 200; n++)); do
		farmem-pages /dev/farmem0 write=0,8,$n
		mark_dmesg
		# The first post ends the session; what is left strikes the recovery, or if
		# it has no such place, the replay.
		set_fault times 2
		set_fault $fault $n
		set_fault fail_post_hard 1
		farmem-pages /dev/farmem0 check=0,8,$n write=8,8,$n ||
			die "I/O failed with $fault=$n"
		set_fault fail_post_hard 0
		set_fault $fault 0
		wait_for 60 live
		farmem-pages /dev/farmem0 check=0,16,$n
		struck || break
	done
	expect_at_least 3 $((n - 1)) "places where $fault struck"
	echo "$fault: $((n - 1)) places"
done
unload
