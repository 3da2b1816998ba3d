# SPDX-License-Identifier: GPL-2.0
# TEST: two guests reach each other by RDMA, commands reach the other one, and a fault of the wire ends
# NODES: 2
# SHORT: newest
set -euo pipefail
. "$FARMEM_TESTS/vm/cases.sh"

[[ $(on-memory-node cat /proc/sys/kernel/hostname) == memory ]] || die "not the memory node"
status=0
on-memory-node sh -c 'sleep 100 & exit 5' || status=$?
((status == 5)) || die "on-memory-node's status is $status, not 5"
on-memory-node pkill sleep

on-memory-node sh -c 'rping -s -a 0.0.0.0 -C 10 >/dev/null 2>&1 &'
wait_for 10 rping -c -a "$FARMEM_SERVER" -C 10
# A perftest that is refused, or finds no server yet, crashes now and then.
reads_much() {
	on-memory-node pkill -KILL -x ib_read_bw || true
	on-memory-node sh -c 'setsid ib_read_bw -R -n 500 -s 4096 >/tmp/server.log 2>&1 </dev/null &'
	wait_for 10 on-memory-node sh -c 'rdma resource show cm_id | grep "LISTEN.*ib_read_bw" >/dev/null'
	timeout 30 ib_read_bw -R -n 500 -s 4096 "$FARMEM_SERVER" >/tmp/client.log 2>&1
}
wait_for 60 reads_much || die "ib_read_bw: $(</tmp/client.log)"
wait_for 10 on-memory-node grep -q '4096 *500' /tmp/server.log

# The link can be broken and mended without the command channel noticing.
on-memory-node ip link set "$FARMEM_NETDEV" down
expect_fail ping -c 1 -W 1 "$FARMEM_SERVER"
on-memory-node ip link set "$FARMEM_NETDEV" up
wait_for 10 ping -c 1 -W 1 "$FARMEM_SERVER"

# So can a worse one, which tc forgets only if told so.
wire delay 5ms 1ms reorder 25% 50% duplicate 5% corrupt 1%
plug_in
rules=$(tc qdisc show dev "$FARMEM_NETDEV"; on-memory-node tc qdisc show dev "$FARMEM_NETDEV")
[[ $rules != *@(delay|reorder|duplicate|corrupt|loss)* ]] || die "the wire still has faults: $rules"
