# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: between two nodes each operation and transport brings every byte; the GID index need not be the same
# LONG: yes
# KERNELS: 6.1 6.12 7.2
# NODES: 2
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
for op in send write write-imm read cas fadd; do
	verbs --op $op
done
verbs --setup cm --op read --queues 2
verbs --transport uc
verbs --transport ud --setup cm

# Packets of the server's port are smaller: all sizes end there, and a larger one is refused.
on-memory-node ip link set dev "$FARMEM_NETDEV" mtu 1500
verbs --transport ud --size all
expect_equal 1024 "$(jq '.runs[-1].size' <<<"$SAID")" "the largest datagram"
verbs_refused 3 "the other end: a datagram is one packet: 4096 bytes do not fit into the MTU of rxe0, 1024" \
	--transport ud --size 4096
on-memory-node ip link set dev "$FARMEM_NETDEV" mtu 4500

# Another address before its own: the server's index becomes another one, and is found.
gid_index() { # of 10.0.0.N; before it perhaps who reads it
	"${@:2}" sh -c "grep -l 0a00:000$1 /sys/class/infiniband/rxe0/ports/1/gids/*" | sed 's|.*/||'
}
moved() { [[ $(gid_index 2 on-memory-node) != "$1" && -n $(gid_index 2 on-memory-node) ]]; }
before=$(gid_index 2 on-memory-node)
on-memory-node sh -c "ip addr del $FARMEM_SERVER/24 dev $FARMEM_NETDEV
	ip addr add 10.0.9.9/24 dev $FARMEM_NETDEV && ip addr add $FARMEM_SERVER/24 dev $FARMEM_NETDEV"
wait_for 20 moved "$before"
verbs --op read
expect_equal "$(gid_index 1)" "$(jq '.runs[0].gid_index' <<<"$SAID")" "the client's GID index"
on-memory-node ip addr del 10.0.9.9/24 dev "$FARMEM_NETDEV"
