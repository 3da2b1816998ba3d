# SPDX-License-Identifier: GPL-2.0
# TEST: a packet filter that drops RoCE's packets is found on the node that has it, and --fix lets them pass, but not IPv6's when the server has IPv4; on the other node the doctor says that nobody answers
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
# Nobody comes by IPv6: this one is in nobody's way, and stays.
nft add table ip6 filter
nft add chain ip6 filter input '{ type filter hook input priority 0; policy drop; }'
before=$(state_of_node)
examine --node compute --server "$SERVER"
expect_code 1
finds fail firewall.roce 'chain input of table inet filter drops what comes to udp port 4791'
offers firewall.roce 'nft insert rule inet filter input udp dport 4791 accept'
finds fail server.connect 'no answer within 10 s'
expect_equal "$before" "$(state_of_node)" "the node, after the doctor"

examine --node compute --server "$SERVER" --fix
expect_text '# nft insert rule inet filter input udp dport 4791 accept' "$RAN" "what the doctor ran"
finds ok firewall.roce 'udp port 4791 passes'
finds ok server.write ''
nft delete table inet filter
nft delete table ip6 filter

# The other node's filter can't be seen from here, but what it does.
on-memory-node sh -c "modprobe nf_tables
	nft add table inet filter
	nft add chain inet filter input '{ type filter hook input priority 0; }'
	nft add rule inet filter input udp dport 4791 drop"
examine --node compute --server "$SERVER"
finds ok firewall.roce 'udp port 4791 passes'
finds fail server.connect 'no answer within 10 s'
on-memory-node farmemctl doctor --node memory --json >/tmp/there || true
REPORT=$(</tmp/there)
finds fail firewall.roce 'drops what comes to udp port 4791'
on-memory-node nft delete table inet filter
