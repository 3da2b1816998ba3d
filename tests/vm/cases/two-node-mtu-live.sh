# SPDX-License-Identifier: GPL-2.0
# TEST: the MTU of either interface changes under I/O: the session says why it cannot go on, goes on by itself where it can, and no byte is lost
# NODES: 2
# KERNELS: 6.1 6.12 newest
# LONG: yes
# TIMEOUT: 400
# Not on 5.10: soft-RoCE loses the WRITEs there that are too large for its own interface
# (docs/design/soft-roce.md).
# shellcheck source=tests/vm/interface.sh
. "$FARMEM_TESTS/vm/interface.sh"

attempts() { dmesg_since | grep -cF 'session default failed' || true; }

says_mtu() {
	[[ $(value sessions/default reason) == *"carries smaller packets than this node's"* ]]
}

serve
load_volume 16M io_deadline=-1 heartbeat=1 peer_timeout=2 reconnect_max=2
verify_start

# The memory node's alone: no connection may come of it.
mtu memory 1500
wait_for 60 recovering
wait_for 60 says_mtu
mtu memory 4500
wait_for 60 live
verify_more 120

# The compute node's alone: the connections of before end, the next ones have its MTU.
before=$(attempts)
mtu compute 1500
wait_for 60 more attempts "$before"
wait_for 60 live
verify_more 120
mtu memory 1500
verify_more 120

# Up again, one after the other.
mtu memory 4500
mtu compute 4500
verify_more 120
verify_end
expect_idle
unload
