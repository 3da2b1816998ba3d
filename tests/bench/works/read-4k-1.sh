# SPDX-License-Identifier: GPL-2.0
# 4 KiB reads, one at a time, each waited for.

work() {
	fio_measure "$1" "$(fewer 16384)" --rw=randread --bs=4k --ioengine=psync
	record "$(fio_latency)"
}
