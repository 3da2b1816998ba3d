# SPDX-License-Identifier: GPL-2.0
# TEST: a memory node whose MTU is less refuses at once, and module and doctor say why; one whose MTU is more goes along
# NODES: 2
# shellcheck source=tests/vm/interface.sh
. "$FARMEM_TESTS/vm/interface.sh"

serve
mtu memory 1500
expect_no_load "carries smaller packets than this node's" server="$SERVER" size=16M \
	connect_timeout="$CONNECT_TIMEOUT"
expect_log "the client sends packets of 4096 bytes, but $FARMEM_RDMADEV carries 1024: the MTUs differ"
expect_text 'refused: the client sends packets of 4096 bytes' "$(farmemd_log)" "farmemd's log"
farmemctl doctor --node compute --server "$SERVER" >/tmp/doctor || true
expect_text 'the MTUs differ' "$(grep server.connect /tmp/doctor)" "what the doctor says"
expect_text 'ip link show' "$(grep -A 1 server.connect /tmp/doctor)" "what the doctor says to do"

mtu compute 1500
load_volume 16M
put_data
mtu memory 4500
reload 16M
put_data
check_data
expect_idle
unload
mtu compute 4500
