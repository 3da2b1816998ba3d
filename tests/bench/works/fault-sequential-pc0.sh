# SPDX-License-Identifier: GPL-2.0
# Major faults, sequential, with a readahead window of 1 page(s).

work() {
	with_swap faults sequential 0
}
