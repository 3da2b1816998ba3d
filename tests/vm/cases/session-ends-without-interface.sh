# SPDX-License-Identifier: GPL-2.0
# TEST: a session ends in bounded time while the compute node's interface is down, and with its RDMA device made anew the next one begins
# KERNELS: 6.1 6.12 newest
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/interface.sh"

serve
load_volume 32M
verify_start
verify_end
interface_down compute
in_time 60 unload
# There was no time to say goodbye later: soft-RoCE does not survive that.
device_anew compute
interface_up compute
load_volume 32M
verify_again
unload
