# SPDX-License-Identifier: GPL-2.0
# TEST: where a switch drops large packets the session says that it is their size, whatever the adapter calls it, and goes on when they pass
# NODES: 2
# LONG: yes
# TIMEOUT: 400
# shellcheck source=tests/vm/interface.sh
. "$FARMEM_TESTS/vm/interface.sh"

# drop NODE - what comes in there: soft-RoCE would be told of one that cannot go out.
drop() {
	on_node "$1" sh -c 'modprobe nf_tables
		nft add table inet switch
		nft add chain inet switch input "{ type filter hook input priority 0; }"
		nft add rule inet switch input udp dport 4791 meta length gt 1400 drop'
}

# In the log: a reason is gone when small packets have made the session live again.
says_size() {
	[[ $(dmesg_since) == *'small packets pass, but no packet of 4096 bytes does'* ]]
}

serve
load_volume 16M io_deadline=-1 heartbeat=1 peer_timeout=2 reconnect_max=2
# No discards: what they write is small.
verify_start -m 50,50,0
for node in compute memory; do
	mark_dmesg
	drop "$node"
	wait_for 120 says_size
	on_node "$node" nft delete table inet switch
	wait_for 60 live
	verify_more 120
done
verify_end
expect_idle
unload
