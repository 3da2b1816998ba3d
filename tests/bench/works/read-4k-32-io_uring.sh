# SPDX-License-Identifier: GPL-2.0
# 4 KiB reads, 32 at once, through io_uring.

work() {
	fio_measure "$1" "$(ios 32768)" --rw=randread --bs=4k --ioengine=io_uring --iodepth=32
	record "$(fio_cost)"
}
