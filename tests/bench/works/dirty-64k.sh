# SPDX-License-Identifier: GPL-2.0
# Dirtying a page (of 4 KiB) while others go out, memory in folios of 64 KiB.
# KERNELS: 6.12 newest
# LAST: swap takes the data off the disk

work() {
	folio_size 64
	with_swap dirty
	folio_size 0
}
