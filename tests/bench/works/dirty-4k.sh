# SPDX-License-Identifier: GPL-2.0
# Dirtying a page while another goes out, pages of 4 KiB.

work() {
	with_swap dirty
}
