# SPDX-License-Identifier: GPL-2.0
# TEST: a heartbeat that is never answered, and for which the adapter reports no error, ends the session, which comes back
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M heartbeat=1 peer_timeout=1
put_data
set_fault fail_beat 1
wait_for 60 recovering
expect_log "session default failed: no answer to a heartbeat for 3 s"
set_fault fail_beat 0
wait_for 60 live
check_data
unload
