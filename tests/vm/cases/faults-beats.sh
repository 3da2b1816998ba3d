# SPDX-License-Identifier: GPL-2.0
# TEST: each of the first heartbeats of an idle session gets lost once: the session ends and comes back, no I/O fails, no byte is lost
# LONG: yes
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/cases.sh"

fired() { [[ $(<"$FAULTS/times") == 0 ]]; }
missed() { [[ $(dmesg_since) == *"no answer to a heartbeat"* ]]; }

serve
load_volume 32M heartbeat=1 peer_timeout=1 io_deadline=-1
put_data
for ((n = 1; n <= 6; n++)); do
	mark_dmesg
	set_fault times 1
	set_fault fail_beat $n
	wait_for 60 fired
	# What comes now finds the session live, or waits.
	check_data
	wait_for 60 missed
	wait_for 60 live
	check_data
done
set_fault fail_beat 0
expect_idle
unload
