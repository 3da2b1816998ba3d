# SPDX-License-Identifier: GPL-2.0
# Major faults, sequential, each read by itself.
# LAST: swap takes the data off the disk

work() {
	with_swap faults sequential 0
}
