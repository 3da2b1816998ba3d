# SPDX-License-Identifier: GPL-2.0
# null_blk keeping what it is given, completed inline: brd's like with other
# bookkeeping. Bio-based on 6.1; later kernels say that they have no such mode
# any more, and use blk-mq.
# FAST: no fabric

start() {
	local disk=/sys/kernel/config/nullb/nullb0

	modprobe null_blk nr_devices=0
	mkdir "$disk"
	echo 4096 >"$disk/blocksize"
	echo "$SIZE_MIB" >"$disk/size"
	echo 1 >"$disk/memory_backed"
	echo 0 >"$disk/queue_mode"
	echo 0 >"$disk/irqmode"
	echo 1 >"$disk/power"
	echo /dev/nullb0
}

stop() {
	rmdir /sys/kernel/config/nullb/nullb0
	rmmod null_blk
}
