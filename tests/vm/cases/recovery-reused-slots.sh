# SPDX-License-Identifier: GPL-2.0
# TEST: writes to freed swap slots, under way when the server loses its memory, are there when it is back
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

submitted() { (($(counter writes) > written)); }
fenced() { dmesg_since | grep 'no connection yet'; }

serve
load_volume 24M io_deadline=-1
swap_on
# Together they have had each slot of the disk.
run_squeezed 12M farmem-memory 24 fill
run_squeezed 12M farmem-memory 24 fill
expect_at_least 5000 "$(counter slot_frees)" "slots freed by programs that ended"

# Nothing ends any more: what the third program has out is all under way.
written=$(counter writes)
set_fault delay_ms 100000
set_fault delay_completion 1
run_squeezed 12M farmem-memory 24 fill random &
program=$!
wait_for 60 submitted
stop_farmemd KILL
wait_for 60 fenced
expect_at_least 1 "$(counter parked)" "writes that wait"
set_fault delay_completion 0
serve
wait_for 60 live
within 120 tail --pid=$program -f /dev/null
wait $program || die "the program found a wrong byte, or was killed: $(counter lost_reads) reads of lost pages"
expect_equal 0 "$(counter lost_reads)" "reads of lost pages"
swapoff /dev/farmem0
# Writes may have failed: of swap they wait for 30 s at most, which an outage on a slow
# machine outlasts. Swap keeps their pages.
expect_equal 0 "$(counter read_errors)" "read_errors"
unload
