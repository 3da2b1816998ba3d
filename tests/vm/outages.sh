# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases of two nodes:  . "$FARMEM_TESTS/vm/outages.sh"  (brings cases.sh along)
#
#   begin_outage NAME [SESSION]   what is between the nodes goes, and the session has
#                                 noticed; one of OUTAGES
#   end_outage NAME               it comes back, nothing lost; nothing if it is there

# shellcheck source=tests/vm/cases.sh
. "$FARMEM_TESTS/vm/cases.sh"

# shellcheck disable=SC2034 # for the cases
OUTAGES=(cable loss node client_device server_device client_address server_address)
CLIENT_ADDRESS=${FARMEM_SERVER%.*}.1

begin_outage() {
	"begin_$1"
	# Of the packets that are lost each is sent again.
	[[ $1 == loss ]] || wait_for 60 recovering "${@:2}"
}

end_outage() {
	"end_$1"
}

begin_cable() {
	unplug
}

end_cable() {
	plug_in
}

begin_loss() {
	wire delay 2ms loss 1% duplicate 1% reorder 25% 50%
}

end_loss() {
	end_cable
}

# Not for the cases state-*: what is on its way to a guest that stands still stays in the
# network adapter, and soft-RoCE destroys no queue pair until that has been sent.
begin_node() {
	pause_memory_node
}

end_node() {
	continue_memory_node
}

begin_client_device() {
	within 60 rdma link delete "$FARMEM_RDMADEV"
}

end_client_device() {
	[[ -e /sys/class/infiniband/$FARMEM_RDMADEV ]] ||
		rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
}

# It waits until farmemd has closed the device.
begin_server_device() {
	within 60 on-memory-node rdma link delete "$FARMEM_RDMADEV"
}

# farmemd looks every second for the device that it lost.
server_listens() {
	on-memory-node rdma resource show cm_id | grep 'LISTEN.*7471' >/dev/null
}

end_server_device() {
	on-memory-node test -e "/sys/class/infiniband/$FARMEM_RDMADEV" ||
		on-memory-node rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
	wait_for 30 server_listens
}

begin_client_address() {
	ip address del "$CLIENT_ADDRESS/24" dev "$FARMEM_NETDEV"
}

end_client_address() {
	ip address replace "$CLIENT_ADDRESS/24" dev "$FARMEM_NETDEV"
}

begin_server_address() {
	on-memory-node ip address del "$FARMEM_SERVER/24" dev "$FARMEM_NETDEV"
}

end_server_address() {
	on-memory-node ip address replace "$FARMEM_SERVER/24" dev "$FARMEM_NETDEV"
}
