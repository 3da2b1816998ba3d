# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd with --pool is stopped, and killed ten times, under a program that swaps: its memory is intact
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

more_reads() { (($(counter reads) > $1 + 200)); }

serve --pool $pool
load_volume 64M io_deadline=-1
swap_on
run_squeezed 16M farmem-memory 32 fill random until=/tmp/stop &
program=$!
for signal in TERM KILL{,,,,,,,,,}; do
	wait_for 60 more_reads "$(counter reads)"
	stop_farmemd "$signal"
	wait_for 20 recovering
	[[ $signal != TERM ]] || expect_text "stays in $pool" "$(farmemd_log)" "farmemd's log"
	serve --pool $pool
	wait_for 60 live
done
wait_for 60 more_reads "$(counter reads)"
touch /tmp/stop
wait $program || die "the program that swaps found a wrong byte"
within 60 swapoff /dev/farmem0
expect_idle
unload
rm $pool
