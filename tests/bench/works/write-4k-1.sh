# SPDX-License-Identifier: GPL-2.0
# 4 KiB writes of pages that were written before, one at a time.

work() {
	fio_measure "$1" "$(fewer 16384)" --rw=randwrite --bs=4k --ioengine=psync
	record "$(fio_latency)"
}
