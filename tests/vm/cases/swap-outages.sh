# SPDX-License-Identifier: GPL-2.0
# TEST: a program that swaps outlives a cut cable, a lossy network, a paused node, and devices and addresses that go and come: its memory is intact
# LONG: yes
# NODES: 2
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/outages.sh"

more_reads() { (($(counter reads) > $1 + 200)); }

# A device of 5.10 may not go once queue pairs were destroyed behind a dead link, nor a node
# stand still as they are, whose packets leave late (recovery-node-paused has less of them):
# docs/design/soft-roce.md, "A queue pair freed before its cleanup".
[[ $FARMEM_KERNEL != 5.10 ]] || OUTAGES=(cable loss client_address server_address)

serve
plug_in
load_volume 64M io_deadline=-1
swap_on
run_squeezed 16M farmem-memory 32 fill random until=/tmp/stop &
program=$!
for outage in "${OUTAGES[@]}"; do
	wait_for 120 more_reads "$(counter reads)"
	begin_outage "$outage"
	# It goes on beside these packets.
	[[ $outage != loss ]] || wait_for 120 more_reads "$(counter reads)"
	end_outage "$outage"
	wait_for 120 live
	echo "$outage: ok"
done
wait_for 120 more_reads "$(counter reads)"
swaps_to_the_end $program
expect_idle
unload
