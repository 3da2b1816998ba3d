# SPDX-License-Identifier: GPL-2.0
# TEST: the link is cut until an acknowledgement is overdue, three times: the session stays, there is no error, every byte is what was last acknowledged
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

retries=/sys/class/infiniband/rxe0/ports/1/hw_counters/completer_retry_err

# sent_again BEFORE - some queue pair has, since the count was BEFORE.
sent_again() { [[ $(<"$retries") != "$1" ]]; }

serve
plug_in
# A busy host may take seconds to plug it in again; the server shall not miss a beat.
load_volume 32M io_deadline=-1 peer_timeout=30 heartbeat=1
verify_start
for _ in {1..3}; do
	before=$(<$retries)
	unplug
	wait_for 20 sent_again "$before"
	plug_in
	verify_more 120
done
verify_end
expect_idle
expect_no_log 'session default failed'
unload
