# SPDX-License-Identifier: GPL-2.0
# TEST: a volume that goes off while its server cannot be told how its failed discards were read says so, others do not
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

warning='goes off after discards or writes that failed'
failed() { [[ $(value sessions/default state) == failed ]]; }

serve
for doubtful in no yes; do
	load_volume 32M io_deadline=0 reconnect_delay=0
	farmem-pages /dev/farmem0 write=0,16,1
	set_fault fail_completion 1
	if [[ $doubtful == yes ]]; then
		! blkdiscard -f -o 16k -l 4k /dev/farmem0 || die "the discard succeeded"
	else
		! farmem-pages /dev/farmem0 check=0,1,1 || die "the read succeeded"
	fi
	set_fault fail_completion 0
	wait_for 60 failed
	mark_dmesg
	power_off volumes/default
	if [[ $doubtful == yes ]]; then
		expect_log "$warning"
	else
		expect_no_log "$warning"
	fi
	unload
done
