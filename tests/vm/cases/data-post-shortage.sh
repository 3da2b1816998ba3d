# SPDX-License-Identifier: GPL-2.0
# TEST: every third post is refused, which is tried again and never an I/O error
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 24M
[[ -e $FAULTS/fail_post ]] || skip "this farmem.ko has no fault hooks (FARMEM_FAULTS=y)"
echo 3 >"$FAULTS/fail_post"
fio_jobs <<-EOT
	[global]
	verify=crc32c
	verify_fatal=1
	rw=randwrite
	[sync]
	bs=4k
	size=1m
	[aio]
	ioengine=libaio
	iodepth=32
	bs=64k
	offset=4m
	size=8m
EOT
farmem-pages /dev/farmem0 write=4096,100,1
blkdiscard -f -o $((4096 * 4106)) -l 40k /dev/farmem0
echo 0 >"$FAULTS/fail_post"
farmem-pages /dev/farmem0 check=4096,10,1 zeros=4106,10 check=4116,80,1
expect_at_least 50 "$(counter shortages)" "shortages"
expect_idle
