# SPDX-License-Identifier: GPL-2.0
# TEST: SIGTERM of farmemd says goodbye: the session fails with the reason, I/O gets errors, rmmod works
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M reconnect_delay=0
put_data
stop_farmemd TERM
wait_for 10 failed
expect_equal 'the server is shutting down' "$(value sessions/default reason)" "reason of the session"
expect_log 'session default failed: the server is shutting down'
expect_equal failed "$(counter state)" "state of the disk"
expect_fail dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none
expect_fail dd if=/dev/zero of=/dev/farmem0 bs=4k count=1 oflag=direct status=none
expect_equal 1 "$(counter read_errors)" "reads that failed"
expect_equal 1 "$(counter write_errors)" "writes that failed"
unload
expect_text 'stopped' "$(farmemd_log)" "farmemd's log"
expect_text 'the data of 1 volumes, 32M, is lost with the pool' "$(farmemd_log)" "farmemd's log"
