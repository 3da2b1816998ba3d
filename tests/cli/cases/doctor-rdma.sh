# The doctor on RDMA: modules, device files, devices, libraries, ports, MTU, addresses.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
port=$sys/class/infiniband/rxe0/ports/1

rm -r "$sys/module/rdma_ucm" "$root/dev/infiniband/rdma_cm"
sick "a module that only programs need is not loaded"
sick "and there are such programs" --server 10.0.0.2
echo rdma_ucm >"$box/absent"
sick "nor is there one"
sick "nor is there one, on a memory node" --node memory
put "$root/etc/os-release" $'ID=ubuntu\nID_LIKE=debian'
sick "on Ubuntu" --node memory
put "$root/etc/os-release" 'ID="rocky"
ID_LIKE="rhel centos fedora"'
sick "on RHEL" --node memory
rm -r "$sys/module/rdma_cm"
echo rdma_cm >>"$box/absent"
sick "nor one that farmem.ko needs"
mkdir "$sys/module/rdma_cm"
echo rdma_ucm >"$box/absent"
put "$root/etc/os-release" 'ID=debian'
mv "$box/absent" "$box/builtin"
put "$root/dev/infiniband/rdma_cm" ''
sick "it is built in"
rm "$box/builtin"
mkdir "$sys/module/rdma_ucm"
rm "$root/dev/infiniband/rdma_cm"
sick "no device file" --node memory
sick "no device file on a compute node"
put "$root/dev/infiniband/rdma_cm" ''
rm "$root/dev/infiniband/uverbs0"
sick "no device file of a device" --node memory
cat >"$box/do-udevadm" <<-EOT
	#!/bin/bash
	touch "$root/dev/infiniband/uverbs0"
EOT
chmod +x "$box/do-udevadm"
sick "--fix has udev make it" --node memory --fix
changed

put "$port/state" '1: DOWN'
put "$port/phys_state" '3: Disabled'
sick "port down"
mv "$port/gid_attrs/ndevs" "$box/ndevs"
mv "$sys/class/infiniband/rxe0/parent" "$box/parent"
sick "port down, of an interface that is not known"
mv "$box/ndevs" "$port/gid_attrs/ndevs"
mv "$box/parent" "$sys/class/infiniband/rxe0/parent"

# Another port is fine: this one may be down because somebody wants it so.
mkdir -p "$sys/class/infiniband/rxe0/ports/2"
cp -r "$port/." "$sys/class/infiniband/rxe0/ports/2"
put "$sys/class/infiniband/rxe0/ports/2/state" '4: ACTIVE'
put "$sys/class/infiniband/rxe0/ports/2/phys_state" '5: LinkUp'
sick "port down beside one that is up" --fix
changed
put "$port/gids/1" 0000:0000:0000:0000:0000:0000:0000:0000
put "$port/state" '4: ACTIVE'
put "$port/phys_state" '5: LinkUp'
sick "one of two ports has no address"
rm -r "$sys/class/infiniband/rxe0/ports/2"
node_rdma
put "$port/phys_state" '3: Disabled'

put "$port/link_layer" InfiniBand
put "$port/state" '2: INIT'
put "$port/phys_state" '5: LinkUp'
sick "no subnet manager"
put "$port/phys_state" '2: Polling'
sick "no cable"
mkdir -p "$sys/class/infiniband/rxe0/ports/2"
cp -r "$port/." "$sys/class/infiniband/rxe0/ports/2"
put "$port/state" '4: ACTIVE'
sick "the second port has no cable"
rm -r "$sys/class/infiniband/rxe0/ports/2"
put "$port/link_layer" Ethernet
put "$port/phys_state" '5: LinkUp'

printf 'device\trxe0\nport\trxe0\t1\t512\t4096\n' >"$box/devices"
sick "small packets"
printf 'device\trxe0\nport\trxe0\t1\t1024\t4096\n' >"$box/devices"
sick "packets of 1024 bytes"
printf '' >"$box/devices"
sick "programs see no device" --node memory
fake fabric <<<'exit 127'
sick "a library is missing" --node memory
rm "$box/bin/fabric"
sick "farmem-fabric is missing"
node_rdma

put "$port/gids/1" 0000:0000:0000:0000:0000:0000:0000:0000
sick "a link-local address alone"
put "$port/gids/0" 0000:0000:0000:0000:0000:0000:0000:0000
sick "no address"
node_rdma
put "$port/gid_attrs/types/0" 'IB/RoCE v1'
put "$port/gid_attrs/types/1" 'IB/RoCE v1'
sick "RoCE v1 alone"

node_rdma
for number in 3 4 5; do
	put "$port/gids/$number" 2001:0db8:0000:0000:0000:0000:0000:000$number
	put "$port/gid_attrs/types/$number" 'RoCE v2'
done
put "$port/gid_attrs/types/0" 'IB/RoCE v1'
sick "many addresses: those that serve first"
for number in {6..20}; do
	put "$port/gids/$number" "$(printf '2001:0db8:0000:0000:0000:0000:0000:%04x' "$number")"
	put "$port/gid_attrs/types/$number" 'RoCE v2'
done
sick "more than anybody reads"

rm -r "$sys/class/infiniband/rxe0"
printf '' >"$box/devices"
sick "no device"
addresses() {
	printf '%s\n' "$@" | jq -R '{ifname: ., link_type: "ether", flags: ["UP"], addr_info: [{local: "10.0.0.1", scope: "global"}]}' |
		jq -s . >"$box/addresses"
}
mv "$box/addresses" "$box/usual"
put "$sys/class/net/eth0.100/uevent" $'DEVTYPE=vlan\nINTERFACE=eth0.100'
mkdir -p "$sys/class/net/eth0.100/lower_eth0" "$sys/class/net/docker0/bridge" "$sys/class/net/docker0/lower_veth1" \
	"$sys/class/net/veth1" "$sys/class/net/bond0/bonding" "$sys/class/net/bond0/lower_eth0" "$sys/class/net/tun0"
addresses docker0 tun0
sick "no device, and interfaces of no card alone"
addresses docker0 eth0.100
sick "no device, a VLAN"
addresses docker0 bond0
sick "no device, a bond"
put "$sys/class/net/bond0.5/uevent" DEVTYPE=vlan
mkdir "$sys/class/net/bond0.5/lower_bond0"
addresses bond0.5
sick "no device, a VLAN of a bond"
mv "$sys/class/net/eth1" "$box/keep1"
cp -r "$sys/class/net/docker0" "$sys/class/net/eth1"
put "$sys/class/net/eth1/type" 1
sick "no device, and a server by a bridge of guests" --server 10.0.0.2
put "$sys/class/net/eth1/type" 65534
sick "no device, and a server by a tunnel" --server 10.0.0.2
rm -r "$sys/class/net/eth1"
mv "$box/keep1" "$sys/class/net/eth1"
mv "$box/usual" "$box/addresses"
mkdir -p "$sys/bus/pci/drivers/mlx5_core/0000:3b:00.0" "$sys/bus/pci/drivers/ice/module"
sick "no device, and an adapter's driver of RDMA is not loaded" --fix
changed
mkdir "$sys/module/mlx5_ib"
sick "it is"
rm -r "$sys/bus" "$sys/module/mlx5_ib"
sick "no device, and a server by another interface" --server 10.0.0.2
put "$proc/sys/kernel/osrelease" 7.2.13+deb14-amd64
sick "no device, on 7.2"
echo '[]' >"$box/addresses"
sick "no device, no interface"
echo rdma_rxe >"$box/absent"
sick "no device, a cloud kernel"
put "$root/etc/os-release" $'ID=ubuntu\nID_LIKE=debian'
sick "no device, Ubuntu"
mkdir -p "$sys/class/infiniband/mlx5_0/device"
put "$sys/class/infiniband/mlx5_0/node_type" '4: RNIC'
put "$sys/class/infiniband/mlx5_0/ports/1/state" '4: ACTIVE'
put "$sys/class/infiniband/mlx5_0/ports/1/link_layer" Ethernet
put "$sys/class/infiniband/mlx5_0/ports/1/gids/0" fe80:0000:0000:0000:5054:00ff:fe00:0002
sick "iWARP"
mkdir -p "$sys/class/infiniband/mlx5_1/device"
put "$sys/class/infiniband/mlx5_1/node_type" '1: CA'
put "$sys/class/infiniband/mlx5_1/ports/1/state" '4: ACTIVE'
put "$sys/class/infiniband/mlx5_1/ports/1/link_layer" Ethernet
sick "iWARP beside RoCE"
