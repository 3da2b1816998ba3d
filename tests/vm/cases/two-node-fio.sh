# SPDX-License-Identifier: GPL-2.0
# TEST: over a link between two nodes fio reads back what it wrote, waited for and queued
# NODES: 2
# SHORT: newest
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
fio_jobs <<-EOT
	[global]
	verify=crc32c
	verify_fatal=1
	size=4m
	[psync-4k]
	ioengine=psync
	rw=randwrite
	bs=4k
	size=2m
	[libaio-64k]
	ioengine=libaio
	iodepth=32
	rw=randwrite
	bs=64k
	offset=4m
	[io_uring-1m]
	ioengine=io_uring
	iodepth=8
	rw=write
	bs=1m
	offset=8m
	size=16m
EOT
expect_idle
reload 32M
fio_jobs <<-EOT
	[io_uring-1m]
	ioengine=io_uring
	iodepth=8
	rw=read
	bs=1m
	offset=8m
	size=16m
	verify=crc32c
	verify_fatal=1
	verify_only=1
EOT
unload
