# SPDX-License-Identifier: GPL-2.0
# TEST: a single fault at every allocation and every step of connecting: an error with a reason, and the next try works
# LONG: yes
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/cases.sh"

fired() {
	[[ $(<"$FAULTS/times") == 0 ]]
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

end() { power_off volumes/v; }

# strike FAULT TEXT - at each place of making session s and volume v, and using them.
strike() {
	local n

	for ((n = 1; n <= 200; n++)); do
		set_fault times 1
		set_fault "$1" $n
		on sessions/s "$2"
		on volumes/v "$2"
		farmem-pages "/dev/$(value volumes/v device)" write=0,8,$n check=0,8,$n
		end
		power_off sessions/s
		fired || break
	done
	set_fault "$1" 0
	expect_at_least 4 $((n - 1)) "places where $1 struck"
	echo "$1: $((n - 1)) places"
}

serve
load
make_session s queues=2
make_volume v session=s size=32M
strike fail_alloc 'Cannot allocate memory'
strike fail_cm 'connection abort'
set_value sessions/s server local
set_value volumes/v size 16M
# Its memory goes with its session: what is off and not released would be missed.
set_value volumes/v uuid "$(</proc/sys/kernel/random/uuid)"
end() { set_value volumes/v release 1; }
strike fail_alloc 'Cannot allocate memory'
all_off
