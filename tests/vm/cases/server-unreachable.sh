# SPDX-License-Identifier: GPL-2.0
# TEST: an address that nobody has, one without a route, one beyond the RDMA devices: each with its message, in time
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# unreachable TEXT ADDRESS - within connect_timeout and what tearing down takes
unreachable() {
	in_time 15 expect_no_load "$1" server="$2:7471" size=32M connect_timeout=3
}

# A dummy interface has no neighbours to ask for: server-no-neighbour does that.
unreachable '10.0.0.77:7471: no answer within 3 s while connecting; is the address right' 10.0.0.77
ip route add unreachable 198.51.100.0/24 2>/dev/null || true
unreachable '198.51.100.1:7471: error -113 while resolving the address' 198.51.100.1
ip route del unreachable 198.51.100.0/24
# On a network, but not one of an RDMA device.
ip link add dummy7 type dummy 2>/dev/null || true
ip address add 203.0.113.1/24 dev dummy7
ip link set dummy7 up
unreachable '203.0.113.2:7471: no RDMA device reaches this address (address error, -19)' 203.0.113.2
ip link del dummy7
