# SPDX-License-Identifier: GPL-2.0
# TEST: the server killed (SIGKILL) under fio: errors reach fio, nothing hangs, rmmod works, a new server serves
# PARALLEL: yes
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M reconnect_delay=0
fio_start
stop_farmemd KILL
fio_fails
grep -qE 'io_u error on file /dev/farmem0: (Input/output error|Link has been severed)' /tmp/fio.log ||
	die "fio says: $(head -n 5 /tmp/fio.log)"
expect_equal failed "$(value sessions/default state)" "state of the session"
expect_equal 0 "$(counter inflight)" "I/O in flight"
in_time 20 unload

serve
load_volume 32M
put_data
check_data
unload
