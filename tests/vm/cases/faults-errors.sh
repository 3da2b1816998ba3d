# SPDX-License-Identifier: GPL-2.0
# TEST: a single I/O error at every place of a fixed workload: that I/O fails and no other, and all of it works when it is done again
# LONG: yes
# PARALLEL: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

# Single pages, many at once, states alone, data with states.
workload() {
	farmem-pages /dev/farmem0 write=0,3,"$1" write=64,128,"$1" &&
		blkdiscard -f -o $((64 * 4096)) -l $((32 * 4096)) /dev/farmem0 &&
		farmem-pages /dev/farmem0 write=70,2,"$1" check=0,3,"$1" zeros=64,6 \
			check=70,2,"$1" zeros=72,24 check=96,96,"$1"
}

errors() { echo $(($(counter read_errors) + $(counter write_errors))); }

serve
load_volume 32M io_deadline=-1
for fault in fail_read fail_write; do
	for ((n = 1; n <= 200; n++)); do
		before=$(errors)
		set_fault times 1
		set_fault $fault $n
		! workload $n 2>/dev/null || break
		expect_equal 1 $(($(errors) - before)) "I/Os that failed with $fault=$n"
		set_fault $fault 0
		workload $n || die "it failed again after $fault=$n"
	done
	expect_equal 1 "$(<$FAULTS/times)" "faults left when there is no such place"
	expect_equal "$before" "$(errors)" "I/Os that failed without a fault"
	set_fault $fault 0
	expect_at_least 4 $((n - 1)) "places where $fault struck"
	echo "$fault: $((n - 1)) places"
done
expect_equal live "$(value sessions/default state)" "state of the session"
unload
