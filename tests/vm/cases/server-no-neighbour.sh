# SPDX-License-Identifier: GPL-2.0
# TEST: an address on the link that nobody answers for: refused in time, with a message
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

in_time 15 expect_no_load 'session default: 10.0.0.77:7471: ' \
	server=10.0.0.77:7471 size=32M connect_timeout=3
expect_log '(-110)'
expect_log 'ip neigh'
# The management network has a neighbour, but no RDMA device.
expect_no_load "192.168.77.2:7471: no RDMA device reaches this address (address error, -19)" \
	server=192.168.77.2:7471 size=32M connect_timeout=3
