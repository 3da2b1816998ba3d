# SPDX-License-Identifier: GPL-2.0
# TEST: the compute node's RDMA device is deleted under I/O and made anew, twice: I/O waits for it, every byte is there
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M io_deadline=-1
verify_start
for _ in 1 2; do
	within 60 rdma link delete "$FARMEM_RDMADEV"
	wait_for 30 recovering
	rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
	wait_for 120 live
	verify_more
done
verify_end
expect_idle
unload
