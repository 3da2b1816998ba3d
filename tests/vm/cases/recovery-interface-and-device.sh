# SPDX-License-Identifier: GPL-2.0
# TEST: a node's RDMA device is deleted and made anew while its interface is down, the compute node's, then the memory node's: no one waits for the other, every byte is there
# KERNELS: 6.1 6.12 newest
# LONG: yes
# NODES: 2
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/interface.sh"

serve
load_volume 32M io_deadline=-1
verify_start
for node in compute memory; do
	interface_down $node
	device_anew $node
	interface_up $node
	wait_for 120 live
	verify_more
done
verify_end
expect_idle
unload
