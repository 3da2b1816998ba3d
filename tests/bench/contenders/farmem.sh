# SPDX-License-Identifier: GPL-2.0
# farmem over RDMA.

start() {
	farmem_start
}

stop() {
	farmem_stop
}
