# SPDX-License-Identifier: GPL-2.0
# Seven 4 KiB reads to three writes, 32 at once.

work() {
	fio_measure "$1" "$(ios 32768)" --rw=randrw --rwmixread=70 --bs=4k --ioengine=io_uring \
		--iodepth=32
	record "$(fio_cost)"
}
