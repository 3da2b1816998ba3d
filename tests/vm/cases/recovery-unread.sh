# SPDX-License-Identifier: GPL-2.0
# TEST: READs that soft-RoCE reports as done although their bytes never came are noticed and done again
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

fired() {
	[[ $(<"$FAULTS/times") == 0 ]]
}

serve
load_volume 32M io_deadline=-1
verify_start
for n in 1 2 3 50 200; do
	set_fault times 1
	set_fault fail_arrival $n
	wait_for 60 fired
	wait_for 60 live
	verify_more
done
set_fault fail_arrival 0
verify_end
expect_log ': a READ was reported as done, but its bytes never came'
expect_idle
unload
