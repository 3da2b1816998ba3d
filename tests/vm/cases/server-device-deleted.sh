# SPDX-License-Identifier: GPL-2.0
# TEST: the RDMA device goes away (rdma link del) under I/O: errors, in bounded time, and rmmod works
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M reconnect_delay=0
fio_start
within 60 rdma link delete "$FARMEM_RDMADEV"
fio_fails
expect_equal failed "$(value sessions/default state)" "state of the session"
expect_equal "$SERVER: the RDMA device was removed" "$(value sessions/default reason)" "reason"
unload

# And it may come back.
rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
load_volume 32M
put_data
check_data
unload
