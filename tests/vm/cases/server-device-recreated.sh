# SPDX-License-Identifier: GPL-2.0
# TEST: the memory node's RDMA device is deleted under I/O and made anew, twice: farmemd lets it go and finds the next, and has kept all its memory, with --pool or without
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

# As long as one id lives, librdmacm keeps the device's context: a fence may wait in it.
keeps_an_id() {
	on-memory-node rdma resource show cm_id | grep 'state DISCONNECT .*comm farmemd' >/dev/null
}

serve
load_volume 32M io_deadline=-1
verify_start
for _ in 1 2; do
	# It waits until farmemd has closed the device.
	within 60 on-memory-node rdma link delete "$FARMEM_RDMADEV"
	wait_for 60 recovering
	on-memory-node rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
	wait_for 120 live
	verify_more
done
verify_end
expect_idle
unload
wait_for 60 keeps_an_id
