# SPDX-License-Identifier: GPL-2.0
# farmem over RDMA, a volume with checksums: of each page that is written and read.
# KERNELS: 6.12 newest

start() {
	farmem_start checksum=crc32c
}

stop() {
	farmem_stop
}
