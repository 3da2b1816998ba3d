# SPDX-License-Identifier: GPL-2.0
# 4 KiB writes, 32 at once, through libaio.

work() {
	fio_measure "$1" "$(ios 32768)" --rw=randwrite --bs=4k --ioengine=libaio --iodepth=32
	record "$(fio_cost)"
}
