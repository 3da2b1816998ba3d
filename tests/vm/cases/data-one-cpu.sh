# SPDX-License-Identifier: GPL-2.0
# TEST: with one CPU polled and asynchronous I/O is verified, and nothing waits for itself
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 24M
expect_equal 1 "$(nproc)" "CPUs"
fio_jobs <<-EOT
	[global]
	bs=4k
	size=2m
	verify=crc32c
	verify_fatal=1
	[psync]
	ioengine=psync
	rw=randwrite
	[libaio]
	ioengine=libaio
	iodepth=32
	rw=randwrite
	offset=4m
	[io_uring]
	ioengine=io_uring
	iodepth=32
	rw=write
	bs=64k
	offset=8m
EOT
expect_at_least 1 "$(counter polled_reads)" "polled_reads"
expect_idle
