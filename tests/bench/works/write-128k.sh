# SPDX-License-Identifier: GPL-2.0
# 128 KiB writes in order, 8 at once.

work() {
	fio_measure "$1" "$(ios 4096)" --rw=write --bs=128k --ioengine=libaio --iodepth=8
	record "$(fio_cost)"
}
