# SPDX-License-Identifier: GPL-2.0
# TEST: a node's address goes and comes back, the server's, then the client's: I/O waits, every byte is there
# LONG: yes
# NODES: 2
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/cases.sh"

client=${FARMEM_SERVER%.*}.1

serve
load_volume 32M io_deadline=-1
verify_start
on-memory-node ip address del "$FARMEM_SERVER/24" dev "$FARMEM_NETDEV"
wait_for 60 recovering
on-memory-node ip address add "$FARMEM_SERVER/24" dev "$FARMEM_NETDEV"
wait_for 120 live
verify_more
ip address del "$client/24" dev "$FARMEM_NETDEV"
wait_for 60 recovering
ip address add "$client/24" dev "$FARMEM_NETDEV"
wait_for 120 live
verify_more
verify_end
expect_idle
unload
