# SPDX-License-Identifier: GPL-2.0
# TEST: the memory node's network goes down under I/O: errors in bounded time, rmmod works, and all is well when it is up again
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M reconnect_delay=0
put_data
fio_start --offset=4M
# Not this node's interface: a virtio_net that is down keeps the packets that it
# has sent, and with them rxe's queue pairs, until it is up again.
on-memory-node ip link set "$FARMEM_NETDEV" down
# Seven time-outs of about a second, and slack.
fio_fails
expect_equal failed "$(value sessions/default state)" "state of the session"
expect_text 'transport retry counter exceeded' "$(value sessions/default reason)" "reason"
in_time 20 unload

on-memory-node ip link set "$FARMEM_NETDEV" up
reachable() { ping -c 1 -W 1 "$FARMEM_SERVER"; }
wait_for 20 reachable
# The server has noticed nothing so far, and asks the former life for a sign.
load_volume 32M connect_timeout=40
check_data
unload
