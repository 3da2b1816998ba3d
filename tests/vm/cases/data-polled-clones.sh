# SPDX-License-Identifier: GPL-2.0
# TEST: through dm-linear and md, reads that somebody waits for are polled as well; asynchronous ones come by interrupt
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

export DM_DISABLE_UDEV=1

# reads DISK ARG... - 512 of them
reads() {
	fio_jobs "${@:2}" <<-EOT
		[read]
		filename=$1
		rw=randread
		bs=4k
		size=2m
	EOT
}

# expect_polled DISK - what LVM or md made of /dev/farmem0
expect_polled() {
	local polled irq

	polled=$(counter polled_reads)
	reads "$1" --ioengine=psync
	expect_at_least $((polled + 512)) "$(counter polled_reads)" "polled reads by psync, through $1"
	polled=$(counter polled_reads) irq=$(counter irq_reads)
	reads "$1" --ioengine=libaio --iodepth=8
	expect_at_least $((irq + 512)) "$(counter irq_reads)" "reads by interrupt, by libaio, through $1"
	# What opens the disk may read a little by itself.
	expect_at_least "$(counter polled_reads)" $((polled + 8)) "polled reads and a few, beside libaio's, through $1"
}

modprobe -a dm-mod raid1
serve
load_volume 16M
farmem-pages /dev/farmem0 write=0,4096,1
echo 1000000 >/sys/module/farmem/parameters/poll_budget_us
dmsetup create linear --table "0 $(blockdev --getsz /dev/farmem0) linear /dev/farmem0 0"
expect_polled /dev/mapper/linear
dmsetup remove linear
mdadm --quiet --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean --metadata=1.2 \
	--bitmap=none /dev/farmem0 missing
expect_polled /dev/md0
mdadm --quiet --stop /dev/md0
expect_idle
