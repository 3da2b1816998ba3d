# SPDX-License-Identifier: GPL-2.0
# TEST: a port of the server's RDMA device goes down: farmemd says so, and what to check, and goes on when it is up again
. "$FARMEM_TESTS/vm/cases.sh"

warned() { farmemd_log | grep -F "$FARMEM_RDMADEV: port error: check 'rdma link'"; }

serve
load_volume 32M
put_data
expect_fail warned
ip link set "$FARMEM_NETDEV" down
wait_for 30 warned
ip link set "$FARMEM_NETDEV" up
check_data
unload
