# SPDX-License-Identifier: GPL-2.0
# TEST: what a program submits under one plug is posted together
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing

# most_in_a_row - submissions without a completion between them.
most_in_a_row() {
	awk '/farmem_complete:/ { n = 0 } /farmem_submit:/ && ++n > most { most = n }
		END { print most + 0 }' $trace/trace
}

serve
load_volume 16M
echo 1 >$trace/events/farmem/enable
: >$trace/trace
fio_jobs --ioengine=libaio --iodepth=16 --iodepth_batch_submit=16 --iodepth_batch_complete_min=16 <<-EOT
	[write]
	rw=randwrite
	bs=4k
	size=2m
EOT
expect_idle
echo 0 >$trace/events/farmem/enable
expect_at_least 16 "$(most_in_a_row)" "submissions in a row"
