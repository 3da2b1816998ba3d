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
mv "$box/absent" "$box/builtin"
put "$root/dev/infiniband/rdma_cm" ''
sick "it is built in"
rm "$box/builtin"
mkdir "$sys/module/rdma_ucm"
rm "$root/dev/infiniband/rdma_cm"
sick "no device file" --node memory
put "$root/dev/infiniband/rdma_cm" ''

put "$port/state" '1: DOWN'
put "$port/phys_state" '3: Disabled'
sick "port down"
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

rm -r "$sys/class/infiniband/rxe0"
printf '' >"$box/devices"
sick "no device"
sick "no device, and a server by another interface" --server 10.0.0.2
put "$proc/sys/kernel/osrelease" 7.2.13+deb14-amd64
sick "no device, on 7.2"
echo '[]' >"$box/addresses"
sick "no device, no interface"
echo rdma_rxe >"$box/absent"
sick "no device, a cloud kernel"
mkdir -p "$sys/class/infiniband/mlx5_0/device"
put "$sys/class/infiniband/mlx5_0/node_type" '4: RNIC'
put "$sys/class/infiniband/mlx5_0/ports/1/state" '4: ACTIVE'
put "$sys/class/infiniband/mlx5_0/ports/1/link_layer" Ethernet
put "$sys/class/infiniband/mlx5_0/ports/1/gids/0" fe80:0000:0000:0000:5054:00ff:fe00:0002
sick "iWARP"
