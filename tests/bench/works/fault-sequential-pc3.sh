# SPDX-License-Identifier: GPL-2.0
# Major faults, sequential, read eight at a time.
# LAST: swap takes the data off the disk

work() {
	with_swap faults sequential 3
}
