# SPDX-License-Identifier: GPL-2.0
# Major faults, random, each read by itself.
# LAST: swap takes the data off the disk

work() {
	with_swap faults random 0
}
