# SPDX-License-Identifier: GPL-2.0
# TEST: a single fault at every allocation and every step of connecting: an error with a reason, and the next try works
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

fired() {
	[[ $(<$FAULTS/times) == 0 ]]
}

# on OBJECT TEXT - at the second try, if a fault strikes at the first.
on() {
	local error

	error=$(set_value "$1" power 1) && return
	fired || die "$1 does not go on, and nothing was made to fail: $error"
	expect_text "$2" "$error" "error of $1"
	[[ -n $(value "$1" reason) ]] || die "$1 says no reason"
	power_on "$1"
}

serve
load
make_session s queues=2
make_volume v session=s size=32M
for fault in fail_alloc fail_cm; do
	text='Cannot allocate memory'
	[[ $fault == fail_alloc ]] || text='connection abort'
	for ((n = 1; n <= 200; n++)); do
		set_fault times 1
		set_fault $fault $n
		on sessions/s "$text"
		on volumes/v "$text"
		farmem-pages /dev/farmem0 write=0,8,$n check=0,8,$n
		power_off volumes/v
		power_off sessions/s
		fired || break
	done
	set_fault $fault 0
	expect_at_least 6 $((n - 1)) "places where $fault struck"
	echo "$fault: $((n - 1)) places"
done
all_off
