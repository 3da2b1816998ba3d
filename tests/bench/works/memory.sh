# SPDX-License-Identifier: GPL-2.0
# Bytes of the compute node's memory: per GiB of a volume, per session with two
# queues, and per further pair of queues. On a node of its own, or the server's
# memory counts as well. From the kernel's lists of slabs and of vmalloc areas.
# CONTENDERS: farmem
# MODES: nodes

accounted() {
	awk '/\[(farmem|rdma_rxe|ib_core|rdma_cm)\]/ { n += $2 } END { print n + 0 }' /proc/vmallocinfo
	awk '/^farmem/ { n += $3 * $4 } END { print n + 0 }' /proc/slabinfo
}

# held MIB QUEUES - bytes held by a volume of that size over that many queues.
held() {
	farmem_stop
	SIZE_MIB=$1 farmem_start queues="$2" >/dev/null
	accounted | awk '{ n += $1 } END { print n }'
}

work() {
	local small big one

	small=$(held 256 2)
	big=$(held 1280 2)
	one=$(held 256 1)
	record "$((big - small))" bytes per-gib
	record "$small" bytes session-and-256M
	record "$((small - one))" bytes per-queue
}
