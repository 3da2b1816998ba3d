# SPDX-License-Identifier: GPL-2.0
# TEST: the network link goes down under I/O: errors in bounded time, rmmod works, and after it is up all is well
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

writing() { (($(counter writes) > 50)); }

serve
load_volume 32M
put_data
fio --name=job --filename=/dev/farmem0 --offset=4M --rw=randrw --bs=4k --ioengine=libaio --iodepth=16 \
	--direct=1 --time_based --runtime=300 >/tmp/fio.log 2>&1 &
fio=$!
wait_for 30 writing
ip link set "$FARMEM_NETDEV" down
# Seven time-outs of about a second, and slack.
within 60 tail --pid=$fio -f /dev/null
! wait $fio || die "fio noticed nothing"
expect_equal failed "$(value sessions/default state)" "state of the session"
echo "reason: $(value sessions/default reason)"
start=$SECONDS
unload
((SECONDS - start < 20)) || die "rmmod took $((SECONDS - start)) s"

ip link set "$FARMEM_NETDEV" up
reachable() { ping -c 1 -W 1 "$FARMEM_SERVER"; }
wait_for 20 reachable
load_volume 32M
check_data
unload
