# SPDX-License-Identifier: GPL-2.0
# TEST: when packets are not answered, the doctor blames a packet filter of this node that drops by default and offers the rule that lets them in; it changes no filter itself; on the other node it says that nobody answers
# LONG: yes
# NODES: 2
# TIMEOUT: 400
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

serve
modprobe nf_tables
nft add table inet filter
nft add chain inet filter input '{ type filter hook input priority 0; policy drop; }'
nft add rule inet filter input ct state established,related accept
nft add rule inet filter input iifname lo accept
nft add rule inet filter input iifname management0 accept
nft add rule inet filter input meta l4proto '{ icmp, icmpv6 }' accept
before=$(state_of_node)
examine --node compute --server "$SERVER"
expect_code 1
finds fail firewall.roce "blocked on the way: the server does not answer, and this node's filter drops by default and names no UDP port 4791"
finds fail server.connect 'no answer within 10 s'
expect_equal "$before" "$(state_of_node)" "the node, after the doctor"
rule=$(jq -r '.doctor[] | select(.check == "firewall.roce") | .advice[]' <<<"$REPORT" | sed -n 's/^\(nft insert .*accept\) .*/\1/p')
expect_equal 'nft insert rule inet filter input udp dport 4791 accept' "$rule" "the rule that the doctor offers"

rules=$(nft list ruleset)
examine --node compute --server "$SERVER" --fix
expect_equal "$rules" "$(nft list ruleset)" "the filter, after doctor --fix"

# Nobody was asked: the rules alone are no proof.
examine --node compute
finds unknown firewall.roce 'drops by default and names no UDP port 4791'

$rule
examine --node compute --server "$SERVER"
finds ok firewall.roce 'UDP port 4791 passes: the server answers'
finds ok server.write ''
nft delete table inet filter

# The other node's filter can't be seen from here, but what it does.
on-memory-node sh -c "modprobe nf_tables
	nft add table inet filter
	nft add chain inet filter input '{ type filter hook input priority 0; }'
	nft add rule inet filter input udp dport 4791 drop"
examine --node compute --server "$SERVER"
finds ok firewall.roce 'no packet filter is loaded'
finds fail server.connect 'no answer within 10 s'
on-memory-node farmemctl doctor --node memory --json >/tmp/there || true
REPORT=$(</tmp/there)
finds unknown firewall.roce "this node's filter has a rule against UDP port 4791"
on-memory-node nft delete table inet filter
