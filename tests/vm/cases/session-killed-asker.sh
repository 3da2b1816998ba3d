# SPDX-License-Identifier: GPL-2.0
# TEST: a process that is killed while its request for memory is still being sent gives the memory back
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

said() { (($(grep -cx "$1" /tmp/fake.log) == 1)); }
gives_back() { grep -q farmem_control_close "/proc/$asker/stack"; }
over() { ! kill -0 "$asker" 2>/dev/null; }

fake_server regions=1
load
make_session default connect_timeout=60 heartbeat=0
make_volume farmem0 session=default size=1M
power_on sessions/default
# Neither the request is seen to have left, nor its answer to have come.
set_fault delay_completion 1
echo 1 >"$CONFIG/volumes/farmem0/power" &
asker=$!
wait_for 20 said open
kill -KILL $asker
# The one buffer to send from is taken.
wait_for 20 gives_back
said close && die "closed with a buffer that is in use"
set_fault delay_completion 0
wait_for 20 over
wait_for 20 said close
expect_equal 0 "$(value volumes/farmem0 power)" "power of the volume"
power_on volumes/farmem0
in_time 60 all_off
