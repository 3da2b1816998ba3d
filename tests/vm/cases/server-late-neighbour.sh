# SPDX-License-Identifier: GPL-2.0
# TEST: a memory node that answers for its address some seconds late: a client that connects finds it then, not at the end of its time
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

start_farmemd --size 64M --listen "$SERVER"
on-memory-node ip link set "$FARMEM_NETDEV" arp off
ip neigh flush dev "$FARMEM_NETDEV"
within 180 modprobe farmem server="$SERVER" size=32M connect_timeout=300 &
loading=$!
is_asked() { [[ $(ip neigh show "${SERVER%:*}") == *@(INCOMPLETE|FAILED)* ]]; }
wait_for 60 is_asked
# The kernel asks three times, a second apart, and gives up.
pause 6
on-memory-node ip link set "$FARMEM_NETDEV" arp on
on-memory-node ip neigh flush dev "$FARMEM_NETDEV"
wait "$loading"
expect_log 'session default: live'
unload
