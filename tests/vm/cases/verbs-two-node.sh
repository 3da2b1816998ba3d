# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: between two nodes each operation and transport brings every byte; the GID index need not be the same
# LONG: yes
# KERNELS: 6.1 6.12 newest
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

# Other addresses before its own, until the server's index is another one: it is found.
# Where earlier cases left holes in the table the first ones fill these.
gid_index() { # of the address with these digits; before them perhaps the command that reads it
	"${@:2}" sh -c "grep -l $1 /sys/class/infiniband/rxe0/ports/1/gids/*" | sed 's|.*/||'
}
present() { [[ -n $(gid_index "$@") ]]; }
before=$(gid_index 0a00:0002 on-memory-node) others=0
while [[ $(gid_index 0a00:0002 on-memory-node) == "$before" ]]; do
	((++others < 9)) || die "the GID index stays $before"
	on-memory-node sh -c "ip addr del $FARMEM_SERVER/24 dev $FARMEM_NETDEV
		ip addr add 10.0.9.$others/24 dev $FARMEM_NETDEV && ip addr add $FARMEM_SERVER/24 dev $FARMEM_NETDEV"
	# The table follows in this order.
	wait_for 20 present 0a00:090$others on-memory-node
	wait_for 20 present 0a00:0002 on-memory-node
done
verbs --op read
expect_equal "$(gid_index 0a00:0001)" "$(jq '.runs[0].gid_index' <<<"$SAID")" "the client's GID index"
while ((others)); do
	on-memory-node ip addr del "10.0.9.$((others--))/24" dev "$FARMEM_NETDEV"
done
