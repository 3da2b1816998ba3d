# SPDX-License-Identifier: GPL-2.0
# TEST: the server killed (SIGKILL) under fio: errors reach fio, nothing hangs, rmmod works, a new server serves
# SHORT: yes
# TIMEOUT: 120
. "$FARMEM_TESTS/vm/cases.sh"

writing() { (($(counter writes) > 50)); }

serve
load_volume 32M
fio --name=job --filename=/dev/farmem0 --rw=randrw --bs=4k --ioengine=libaio --iodepth=16 \
	--direct=1 --time_based --runtime=300 >/tmp/fio.log 2>&1 &
fio=$!
wait_for 30 writing
stop_farmemd KILL
status=0
within 60 tail --pid=$fio -f /dev/null
wait $fio || status=$?
((status != 0)) || die "fio noticed nothing"
grep -qE 'io_u error on file /dev/farmem0: (Input/output error|Link has been severed)' /tmp/fio.log ||
	die "fio says: $(head -n 5 /tmp/fio.log)"
expect_equal failed "$(value sessions/default state)" "state of the session"
expect_equal 0 "$(counter inflight)" "I/O in flight"
start=$SECONDS
unload
((SECONDS - start < 20)) || die "rmmod took $((SECONDS - start)) s"

serve
load_volume 32M
put_data
check_data
unload
