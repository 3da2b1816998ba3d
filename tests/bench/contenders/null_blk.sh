# SPDX-License-Identifier: GPL-2.0
# null_blk keeping what it is given, bio-based, completed inline: brd's
# like with other bookkeeping.

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
