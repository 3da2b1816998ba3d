# SPDX-License-Identifier: GPL-2.0
# TEST: a read with RWF_NOWAIT gets its data or EAGAIN, never anything else
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,512,1
polled=$(counter polled_reads)
farmem-pages /dev/farmem0 nowait=0,512,1 >/tmp/nowait
read -r _ data _ < /tmp/nowait
expect_at_least 400 "$data" "reads with data ($(</tmp/nowait))"
# No submitter that does not want to wait polls.
expect_at_least "$(counter polled_reads)" $((polled + 8)) "polled reads and a few"
# Queued deep beside others.
fio_jobs --ioengine=io_uring --iodepth=32 <<-EOT
	[global]
	nowait=1
	verify=crc32c
	bs=4k
	size=2m
	[randread]
	rw=randrw
EOT
expect_idle
