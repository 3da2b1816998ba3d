# SPDX-License-Identifier: GPL-2.0
# TEST: the memory node's network goes down under I/O: errors in bounded time, rmmod works, and all is well when it is up again
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

# Not this node's interface: a virtio_net that is down keeps the packets that it
# has sent, and with them rxe's queue pairs, until it is up again.
writing() { (($(counter writes) > 50)); }

serve
load_volume 32M
put_data
fio --name=job --filename=/dev/farmem0 --offset=4M --rw=randrw --bs=4k --ioengine=libaio --iodepth=16 \
	--direct=1 --time_based --runtime=300 >/tmp/fio.log 2>&1 &
fio=$!
wait_for 30 writing
on-memory-node ip link set "$FARMEM_NETDEV" down
# Seven time-outs of about a second, and slack.
within 60 tail --pid=$fio -f /dev/null
! wait $fio || die "fio noticed nothing"
expect_equal failed "$(value sessions/default state)" "state of the session"
expect_text 'transport retry counter exceeded' "$(value sessions/default reason)" "reason"
start=$SECONDS
unload
((SECONDS - start < 20)) || die "rmmod took $((SECONDS - start)) s"

on-memory-node ip link set "$FARMEM_NETDEV" up
reachable() { ping -c 1 -W 1 "$FARMEM_SERVER"; }
wait_for 20 reachable
# The server has noticed nothing so far, and asks the former life for a sign.
load_volume 32M connect_timeout=40
check_data
unload
