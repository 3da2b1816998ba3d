# SPDX-License-Identifier: GPL-2.0
# TEST: a queue whose requests never end, and whose adapter reports no error, ends the session; its I/O is done after that
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

tries() { [[ $(dmesg_since) == *"session default: no connection yet"* ]]; }

# Heartbeats go out at once, and only then everything stands still.
serve
load_volume 32M heartbeat=1 peer_timeout=1 io_deadline=-1
put_data
set_fault delay_ms 3600000
set_fault delay_completion 1
dd if=/dev/farmem0 of=/tmp/read bs=64k count=32 iflag=direct status=none &
reader=$!
wait_for 60 recovering
expect_log "has ended no request for 3 s, and its adapter reports no error"
# Nothing is flushed either, and that is not waited for without end.
wait_for 60 tries
set_fault delay_completion 0
within 60 tail --pid="$reader" -f /dev/null
wait "$reader" || die "the read failed"
cmp /tmp/read /tmp/data || die "the read gave other bytes"
unload
