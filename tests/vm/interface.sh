# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases of two nodes:  . "$FARMEM_TESTS/vm/interface.sh"  (brings cases.sh along)
#
#   interface_down NODE   compute's or memory's: and both have noticed, the session is over
#   interface_up NODE
#   device_anew NODE      its RDMA device is deleted, and made again
#   mtu NODE BYTES        of its interface
#   connections           that the memory node has, and those that are over and not told so

# shellcheck source=tests/vm/cases.sh
. "$FARMEM_TESTS/vm/cases.sh"

on_node() {
	if [[ $1 == compute ]]; then "${@:2}"; else "on-$1-node" "${@:2}"; fi
}

no_io() { (($(counter inflight) == 0)); }
tries() { dmesg_since | grep -cF 'no connection yet' || true; }
closed() { farmemd_log | grep -cF 'session closed' || true; }
more() { (($($1) > $2)); }

mtu() {
	on_node "$1" ip link set "$FARMEM_NETDEV" mtu "$2"
}

connections() {
	on-memory-node rdma resource show cm_id | grep -vc LISTEN || true
}

as_many() { (($(connections) == $1)); }

# Not under I/O: see unplug.
interface_down() {
	local tried ended

	tried=$(tries)
	ended=$(closed)
	kill -STOP "$verify_pid" 2>/dev/null || true
	wait_for 20 no_io
	on_node "$1" ip link set "$FARMEM_NETDEV" down
	kill -CONT "$verify_pid" 2>/dev/null || true
	wait_for 60 recovering
	wait_for 60 more closed "$ended"
	# Of the server it shows.
	[[ $1 == memory ]] || wait_for 60 more tries "$tried"
}

interface_up() {
	on_node "$1" ip link set "$FARMEM_NETDEV" up
}

device_anew() {
	in_time 60 on_node "$1" rdma link delete "$FARMEM_RDMADEV"
	on_node "$1" rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
}
