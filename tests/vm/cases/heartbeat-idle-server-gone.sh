# SPDX-License-Identifier: GPL-2.0
# TEST: a session that nobody uses notices that nothing of the memory node arrives any more, and is live again when it does
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
put_data
# Not its interface: soft-RoCE's connection manager would not survive that
# (docs/design/soft-roce.md).
on-memory-node tc qdisc add dev "$FARMEM_NETDEV" root netem loss 100%
wait_for 90 recovering
expect_equal 0 "$(counter parked)" "I/O that found out"
on-memory-node tc qdisc del dev "$FARMEM_NETDEV" root
wait_for 120 live
check_data
unload
