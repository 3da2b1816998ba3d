# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd lets go of an RDMA device that no client has used yet, and finds the next: listening on its address, or on all after it has refused somebody
. "$FARMEM_TESTS/vm/cases.sh"

# It waits until farmemd has closed the device.
device_anew() {
	within 60 rdma link delete "$FARMEM_RDMADEV"
	rdma link add "$FARMEM_RDMADEV" type rxe netdev "$FARMEM_NETDEV"
}

connects() {
	set_value sessions/default power 1
}

serve
device_anew
load
make_session default
wait_for 60 connects
all_off
stop_farmemd

start_farmemd --size 64M
within 30 rping -c -a "$FARMEM_SERVER" -p 7471 -C 1 && die "a stranger was let in"
device_anew
load_volume 32M
put_data
check_data
unload
