# SPDX-License-Identifier: GPL-2.0
# TEST: a client that vanished without a word (nothing that it sends arrives, its queues are gone) is found dead, and its next life gets its data
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

uuid=76543210-89ab-4def-8123-456789abcdef
serve
load
make_session first client=twin connect_timeout=5
make_volume one session=first size=32M uuid=$uuid
power_on sessions/first
power_on volumes/one
put_data

# It goes while nothing that it says reaches the server.
tc qdisc add dev "$FARMEM_NETDEV" root netem loss 100%
set_value volumes/one power 0
set_value sessions/first power 0
rmdir $CONFIG/volumes/one $CONFIG/sessions/first
tc qdisc del dev "$FARMEM_NETDEV" root
expect_equal true "$(on-memory-node farmemctl server list --json | jq '.loans[0].connected')" \
	"whether the server still believes in it"

make_session second client=twin connect_timeout=40
make_volume two session=second size=32M uuid=$uuid
power_on sessions/second
power_on volumes/two
check_data
all_off
