# SPDX-License-Identifier: GPL-2.0
# The floor behind a bare bio shell: the least that a block device of RDMA with
# asynchronous completion can cost.

start() {
	floor_start disk=1
	echo /dev/floor0
}

stop() {
	floor_stop
}
