# SPDX-License-Identifier: GPL-2.0
# farmem over RDMA below dm-linear, as a logical volume is.
# MODES: icount
# KERNELS: 6.1 6.12 newest
# WORKS: read-4k-1 write-4k-1 read-4k-32-libaio write-4k-32-libaio fault-random-pc0

export DM_DISABLE_UDEV=1

start() {
	farmem_start >/dev/null
	modprobe dm-mod
	dmsetup create bench --table "0 $(blockdev --getsz /dev/farmem0) linear /dev/farmem0 0" >&2
	echo /dev/mapper/bench
}

stop() {
	dmsetup remove bench
	farmem_stop
}
