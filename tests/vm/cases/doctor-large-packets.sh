# SPDX-License-Identifier: GPL-2.0
# TEST: where packets of the full size are lost on the way and small ones pass, the doctor says so, of what comes from the server and of what goes there
# LONG: yes
# NODES: 2
# TIMEOUT: 400
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

# Packets are lost before they come in: soft-RoCE would be told of one that cannot go out.
lose='nft add table inet switch
	nft add chain inet switch input "{ type filter hook input priority 0; }"
	nft add rule inet switch input udp dport 4791 meta length gt 1000 drop'

modprobe nf_tables
on-memory-node modprobe nf_tables
serve
examine --node compute --server "$SERVER"
finds ok server.read 'and a whole page'
finds ok server.write 'and a whole page'

sh -c "$lose"
examine --node compute --server "$SERVER"
expect_code 1
finds fail server.read 'a small READ passes, but not one of 4096 bytes'
finds skipped server.write 'not reached'
nft delete table inet switch

on-memory-node sh -c "$lose"
examine --node compute --server "$SERVER"
expect_code 1
finds ok server.read 'and a whole page'
finds fail server.write 'a small WRITE passes, but not one of 4096 bytes'
on-memory-node nft delete table inet switch
examine --node compute --server "$SERVER"
finds ok server.write 'and a whole page'
