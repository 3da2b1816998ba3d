# SPDX-License-Identifier: GPL-2.0
# farmem over RDMA, a synchronous volume: each bio is waited for, swap-ins
# bypass the swap cache, as with brd and zram.
# KERNELS: 6.12 newest

start() {
	farmem_start sync=1
}

stop() {
	farmem_stop
}
