# SPDX-License-Identifier: GPL-2.0
# Compressed memory, what swap without any fabric would be.

start() {
	modprobe zram num_devices=1
	echo "${SIZE_MIB}M" >/sys/block/zram0/disksize
	echo /dev/zram0
}

stop() {
	echo 1 >/sys/block/zram0/reset
	rmmod zram
}
