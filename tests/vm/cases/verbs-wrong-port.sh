# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: a device, a port of it, or an address that is not there is named with those there are
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
verbs_refused 1 "farmem-verbs: no device has a port 3 with the address $FARMEM_SERVER
  rxe0 port 1 GID index 0: fe80:" --ib-port 3
verbs_refused 1 "farmem-verbs: there is no RDMA device mlx5_0
  rxe0 port 1 GID index 0: fe80:" --device mlx5_0
verbs_refused 2 "leave out --device, --ib-port and --gid-index, or use --setup hand" --setup cm --ib-port 1
status=0
SAID=$(farmem-verbs client 127.0.0.1 2>&1) || status=$?
expect_equal 1 $status "status of a client of an address without RDMA"
expect_text "farmem-verbs: no RDMA device has the address 127.0.0.1
  rxe0 port 1 GID index 0: fe80:" "$SAID" "what it says"
expect_text "next: name the server by an address of its RDMA network" "$SAID" "what to do"

rdma link delete "$FARMEM_RDMADEV"
verbs_refused 1 "farmem-verbs: this node has no RDMA device
  next: rdma link; for an adapter in software: modprobe rdma_rxe && rdma link add rxe0 type rxe netdev eth0"
