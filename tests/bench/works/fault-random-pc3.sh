# SPDX-License-Identifier: GPL-2.0
# Major faults, random, with a readahead window of 8 page(s).

work() {
	with_swap faults random 3
}
