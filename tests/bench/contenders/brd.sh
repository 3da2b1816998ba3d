# SPDX-License-Identifier: GPL-2.0
# A RAM disk: the least that a block device of the kernel's own costs.
# FAST: no fabric

start() {
	modprobe brd rd_nr=1 rd_size=$((SIZE_MIB << 10))
	echo /dev/ram0
}

stop() {
	rmmod brd
}
