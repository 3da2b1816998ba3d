# SPDX-License-Identifier: GPL-2.0
# TEST: a single fault at every place of a fixed workload (post, mapping, completion lost or late): no I/O fails, no byte is lost
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

# Some thirty requests: single pages, many at once, states alone, data with states.
workload() {
	farmem-pages /dev/farmem0 write=0,3,"$1" write=64,128,"$1" burst=256,8,"$1" >/dev/null
	blkdiscard -f -o $((64 * 4096)) -l $((32 * 4096)) /dev/farmem0
	farmem-pages /dev/farmem0 write=70,2,"$1" check=0,3,"$1" zeros=64,6 check=70,2,"$1" \
		zeros=72,24 check=96,96,"$1" check=256,8,"$1"
}

fired() {
	[[ $(<"$FAULTS/times") == 0 ]]
}

serve
load_volume 32M io_deadline=-1
set_fault delay_ms 50
for fault in fail_post fail_map fail_post_hard fail_completion delay_completion; do
	for ((n = 1; n <= 200; n++)); do
		set_fault times 1
		set_fault $fault $n
		within 60 bash -c "$(declare -f workload); set -e; workload $((n % 1000 + 1))" ||
			die "the workload failed with $fault=$n"
		wait_for 60 live
		fired || break
	done
	set_fault $fault 0
	expect_at_least 10 $((n - 1)) "places where $fault struck"
	echo "$fault: $((n - 1)) places"
done
expect_idle
unload
