# SPDX-License-Identifier: GPL-2.0
# Major faults, in order, memory in folios of 64 KiB.
# KERNELS: 6.12 newest
# LAST: swap takes the data off the disk

work() {
	folio_size 64
	with_swap faults sequential 3
	folio_size 0
}
