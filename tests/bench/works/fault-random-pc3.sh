# SPDX-License-Identifier: GPL-2.0
# Major faults, random, read eight at a time.
# LAST: swap takes the data off the disk

work() {
	with_swap faults random 3
}
