# SPDX-License-Identifier: GPL-2.0
# Dirtying a page while another goes out, pages of 4 KiB.
# LAST: swap takes the data off the disk

work() {
	with_swap dirty
}
