# SPDX-License-Identifier: GPL-2.0
# TEST: reads that somebody waits for are polled, asynchronous ones come by interrupt
# PARALLEL: yes
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,1024,1
# Emulation and neighbours may make a round trip longer than the usual budget.
echo 1000000 >/sys/module/farmem/parameters/poll_budget_us
fio_jobs --ioengine=psync <<-EOT
	[read]
	rw=randread
	bs=4k
	size=2m
EOT
reads=$(counter polled_reads)
# All but those of opening and closing the disk.
expect_at_least 512 "$reads" "polled reads by psync"
irq=$(counter irq_reads)
fio_jobs --ioengine=libaio --iodepth=8 <<-EOT
	[read]
	rw=randread
	bs=4k
	size=2m
EOT
expect_at_least $((irq + 512)) "$(counter irq_reads)" "reads by interrupt, by libaio"
# What opens the disk may read a little by itself.
expect_at_least "$(counter polled_reads)" $((reads + 8)) "polled reads and a few, beside libaio's"
expect_idle
