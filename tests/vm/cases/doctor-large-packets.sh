# SPDX-License-Identifier: GPL-2.0
# TEST: where packets of the full size are lost on the way and small ones pass, the doctor says so, of what comes from the server and of what goes there
# LONG: yes
# NODES: 2
# TIMEOUT: 400
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

# lose HOOK - the memory node loses large packets that it sends (output) or gets (input)
lose() {
	on-memory-node sh -c "modprobe nf_tables
		nft add table inet switch
		nft add chain inet switch $1 '{ type filter hook $1 priority 0; }'
		nft add rule inet switch $1 udp dport 4791 meta length gt 1000 drop"
}

serve
examine --node compute --server "$SERVER"
finds ok server.read 'and a whole page'
finds ok server.write 'and a whole page'

lose output
examine --node compute --server "$SERVER"
expect_code 1
finds fail server.read 'a small READ passes, one of 4096 bytes does not'
finds skipped server.write 'not reached'
on-memory-node nft delete table inet switch

lose input
examine --node compute --server "$SERVER"
expect_code 1
finds ok server.read 'and a whole page'
finds fail server.write 'a small WRITE passes, one of 4096 bytes does not'
on-memory-node nft delete table inet switch
examine --node compute --server "$SERVER"
finds ok server.write 'and a whole page'
