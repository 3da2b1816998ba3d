# SPDX-License-Identifier: GPL-2.0
# TEST: the doctor's way to a server ends at an address on the link that nobody has, and with the link cut at the server's: nobody answers for it
# NODES: 2
# LONG: yes
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

# nobody_at ADDR - says the doctor, tried nothing after it, and advises to look there
nobody_at() {
	examine --node compute --server "$1"
	expect_code 1
	finds ok server.route 'from 10.0.0.1, '
	finds fail server.resolve "no node answers ARP or neighbour discovery for $1"
	expect_equal "ping $1; ip neighbour show $1" \
		"$(jq -r '.doctor[] | select(.check == "server.resolve") | .advice[]' <<<"$REPORT")" "advice"
	finds skipped server.connect 'not reached'
}

serve
nobody_at 10.0.0.77
unplug
# A neighbour that was there a moment ago is believed to be there still.
ip neighbour flush dev "$FARMEM_NETDEV"
nobody_at "$FARMEM_SERVER"
plug_in
examine --node compute --server "$SERVER"
finds ok server.write 'heartbeat'
