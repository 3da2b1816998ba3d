# SPDX-License-Identifier: GPL-2.0
# Compressed memory, what swap without any fabric would be.
# FAST: no fabric

# As compressible as real memory, and as bench-memory's pages. Only by filling its
# buffer anew for each write does fio do that: its share is larger here.
# shellcheck disable=SC2034 # for lib.sh
FIO_DATA=(--buffer_compress_percentage=50 --refill_buffers)

start() {
	modprobe zram num_devices=1
	echo "${SIZE_MIB}M" >/sys/block/zram0/disksize
	echo /dev/zram0
}

stop() {
	echo 1 >/sys/block/zram0/reset
	rmmod zram
}
