# SPDX-License-Identifier: GPL-2.0
# TEST: on a node that is well the doctor finds nothing, changes nothing, and no client notices its visit
# CPUS: 1
# SHORT: yes
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/client.keys "alpha $KEY_A"
serve --keys /tmp/server.keys
load_volume 32M client=alpha key=/tmp/client.keys
put_data
mark_dmesg
before=$(state_of_node)
lent=$(farmemctl server list --json)

# As the very client that is connected.
examine --node both --server "$SERVER" --client alpha --key /tmp/client.keys --source "$FARMEM_SERVER"
expect_code 0
expect_equal '' "$(jq -r '.doctor[] | select(.verdict != "ok" and .verdict != "skipped") | .check' <<<"$REPORT")" \
	"what is not well"
finds ok kernel.version "$(uname -r)"
finds ok module.built updates/farmem.ko
finds ok rdma.devices "$FARMEM_RDMADEV"
finds ok rdma.ports "$FARMEM_RDMADEV/1: ACTIVE"
finds ok rdma.mtu '4096 bytes'
finds ok rdma.gids "$FARMEM_SERVER RoCE v2"
finds ok limits.service 'farmemd runs'
finds ok farmemd.running 'farmemd answers'
finds ok server.route "from $FARMEM_SERVER"
finds ok server.resolve "$FARMEM_RDMADEV/1"
finds ok server.version "protocol 1, server UUID $SERVER_UUID"
finds ok server.auth 'alpha and the server have proved their key'
finds ok server.read 'and a whole page'
finds ok server.write 'and a whole page'
finds ok server.memory '32M of 64M'

expect_equal "$before" "$(state_of_node)" "the node, after the doctor"
expect_equal "$lent" "$(farmemctl server list --json)" "what is lent"
expect_text 'a visitor that says it is alpha, its key is proved' "$(farmemd_log)" "farmemd's log"
expect_equal live "$(value sessions/default state)" "state of the session"
expect_no_log 'session default failed'
check_data
unload
