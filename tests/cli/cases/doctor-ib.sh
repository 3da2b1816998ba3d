# The doctor on an InfiniBand adapter: nodes are named by the addresses of IPoIB.
# shellcheck source=tests/cli/node.sh
. "$here/node.sh"
node_make
rm -r "$sys/class/infiniband/rxe0"
port=$sys/class/infiniband/mlx5_0/ports/1
card=$sys/devices/pci/0000:3b:00.0
put "$card/vendor" 0x15b3
put "$port/state" '4: ACTIVE'
put "$port/phys_state" '5: LinkUp'
put "$port/link_layer" InfiniBand
put "$port/rate" '100 Gb/sec (4X EDR)'
put "$port/gids/0" fe80:0000:0000:0000:506b:4b03:00ab:cdef
ln -s "$card" "$sys/class/infiniband/mlx5_0/device"
printf 'device\tmlx5_0\nport\tmlx5_0\t1\t4096\t4096\n' >"$box/devices"
ipoib() {
	jq -n --arg flag "$1" --arg scope "$2" '[{ifname: "ibp59s0", link_type: "infiniband", flags: [$flag],
		addr_info: [{local: "192.0.2.1", scope: $scope}]}]' >"$box/addresses"
}

sick "no interface of IPoIB"
ipoib UP global
sick "one of another card"
put "$sys/class/net/ibp59s0/dev_port" 0
ln -s "$card" "$sys/class/net/ibp59s0/device"
sick "one with an address"
put "$sys/class/net/ibp59s0/dev_port" 1
sick "one of the card's other port"
put "$sys/class/net/ibp59s0/dev_port" 0
ipoib UP link
sick "one with a link-local address alone"
ipoib DOWN global
sick "one that is down"
ipoib UP global
printf 'device\tmlx5_0\nport\tmlx5_0\t1\t512\t4096\n' >"$box/devices"
sick "small packets"
