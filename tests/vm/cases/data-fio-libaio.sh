# SPDX-License-Identifier: GPL-2.0
# TEST: fio with libaio at depth 32 reads back what it wrote, 4k, 64k and 1M, sequential and random
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M
fio_jobs --ioengine=libaio --iodepth=32 <<-EOT
	[global]
	size=8m
	verify=crc32c
	verify_fatal=1
	do_verify=1
	[write-4k]
	rw=write
	bs=4k
	size=4m
	[randwrite-4k]
	rw=randwrite
	bs=4k
	offset=4m
	size=4m
	[write-64k]
	rw=write
	bs=64k
	offset=8m
	[randwrite-64k]
	rw=randwrite
	bs=64k
	offset=16m
	[write-1m]
	rw=write
	bs=1m
	offset=24m
	[randwrite-1m]
	rw=randwrite
	bs=1m
	offset=32m
EOT
expect_at_least $((40 << 20)) "$(counter write_bytes)" "bytes written"
expect_at_least $((40 << 20)) "$(counter read_bytes)" "bytes read"
expect_idle
