# SPDX-License-Identifier: GPL-2.0
# TEST: the doctor finds a port that is down, an address that is gone, a device and modules that are not there; --fix mends what it can, saying each command
# LONG: yes
# CPUS: 1
# shellcheck source=tests/vm/doctor.sh
. "$FARMEM_TESTS/vm/doctor.sh"

device=$FARMEM_RDMADEV netdev=$FARMEM_NETDEV

# As the guest was, for the next case.
mend() {
	ip link set "$netdev" up
	ip address replace "$FARMEM_SERVER/24" dev "$netdev"
	ip address replace fd00::1/64 dev "$netdev" nodad
	modprobe -a ib_uverbs rdma_ucm rdma_rxe
	[[ -e /sys/class/infiniband/$device ]] || rdma link add "$device" type rxe netdev "$netdev"
}
trap 'status=$?; mend || true; leave $status' EXIT
load

# Without --fix all stays as it is, also what is broken.
ip link set "$netdev" down
before=$(state_of_node)
examine --node compute
expect_code 1
finds fail rdma.ports "$device/1: DOWN"
offers rdma.ports "ip link set $netdev up"
expect_equal '' "$RAN" "what the doctor ran without --fix"
expect_equal "$before" "$(state_of_node)" "the node, after the doctor"
examine --node compute --fix
expect_code 0
expect_equal "# ip link set $netdev up" "$RAN" "what the doctor ran"
finds ok rdma.ports "$device/1: ACTIVE"

ip address flush dev "$netdev"
examine --node compute
expect_code 1
# soft-RoCE keeps a link-local entry, made of the interface's hardware address.
finds fail rdma.gids "$device/1: link-local addresses only"
mend

# What one command makes possible is mended as well.
rdma link delete "$device"
modprobe -r rdma_ucm rdma_rxe
before=$(state_of_node)
examine --node both
expect_code 1
finds fail rdma.modules rdma_ucm
finds fail rdma.devices 'this node has no RDMA device'
finds skipped rdma.ports ''
# The guest's interface is that of no card: it is taken only if a server is that way.
expect_equal '' "$(jq -r '.doctor[] | select(.check == "rdma.devices") | .fix[]' <<<"$REPORT")" "what is offered"
expect_equal "$before" "$(state_of_node)" "the node, after the doctor"
examine --node both --fix
expect_text '# modprobe -a ib_uverbs rdma_ucm' "$RAN" "what the doctor ran"
examine --node both --server "${FARMEM_SERVER%.*}.9"
expect_code 1
offers rdma.devices 'modprobe rdma_rxe'
offers rdma.devices "rdma link add rxe0 type rxe netdev $netdev"
examine --node both --server "${FARMEM_SERVER%.*}.9" --fix
expect_text "# rdma link add rxe0 type rxe netdev $netdev" "$RAN" "what the doctor ran"
finds ok rdma.modules ''
finds ok rdma.devices rxe0
finds ok rdma.ports 'rxe0/1: ACTIVE'
finds ok rdma.gids "$FARMEM_SERVER RoCE v2"

# And the module itself.
unload
examine --node compute
expect_code 3
finds warn module.loaded 'not loaded'
examine --node compute --fix
expect_text '# modprobe farmem' "$RAN" "what the doctor ran"
finds ok module.loaded ''
unload
