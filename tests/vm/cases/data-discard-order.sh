# SPDX-License-Identifier: GPL-2.0
# TEST: discards of one page, and writes of zeros to it, are on the way one after the other
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing

serve
load_volume 16M
# The order of events on all CPUs.
echo counter >$trace/trace_clock
echo 20000 >$trace/buffer_size_kb
echo 1 >$trace/events/farmem/enable
farmem-pages /dev/farmem0 race=0,6,250
expect_idle
echo 0 >$trace/events/farmem/enable
grep 'op=zero' $trace/trace >/tmp/trace
echo local >$trace/trace_clock
expect_at_least 400 "$(grep -c farmem_submit /tmp/trace)" "discards"
awk '
	match($0, /offset=[0-9]+ bytes=[0-9]+/) {
		split(substr($0, RSTART, RLENGTH), field, /[= ]/)
		first = field[2] / 4096
		end = first + field[4] / 4096
		for (page = first; page < end; page++) {
			busy[page] += /farmem_submit/ ? 1 : -1
			if (busy[page] > 1) {
				print "page " page ": " $0
				exit 1
			}
		}
	}' /tmp/trace || die "two at once"
unload
