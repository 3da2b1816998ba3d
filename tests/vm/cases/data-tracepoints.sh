# SPDX-License-Identifier: GPL-2.0
# TEST: the tracepoints tell state changes, submissions and completions with the right numbers
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing

serve
load
echo 1 >$trace/events/farmem/enable
: >$trace/trace
make_session s client=tester
power_on sessions/s
make_volume v session=s size=16M
power_on volumes/v
expect_at_least 1 "$(grep -c 'farmem_session_state: session=s old=connecting new=live' $trace/trace)" \
	"transition to live in $(grep farmem_session $trace/trace || true)"
: >$trace/trace
farmem-pages /dev/farmem0 write=5,3,1 check=6,1,1
blkdiscard -f -o 8192 -l 8k /dev/farmem0
expect_idle
cp $trace/trace /tmp/trace
for line in 'op=write offset=20480 bytes=12288' 'op=read offset=24576 bytes=4096' \
	    'op=zero offset=8192 bytes=8192'; do
	expect_equal 1 "$(grep -c "farmem_submit: disk=farmem0 $line queue=[0-9]" /tmp/trace)" "submitted: $line"
	expect_equal 1 "$(grep -c "farmem_complete: disk=farmem0 $line error=0" /tmp/trace)" "completed: $line"
done
expect_equal "$(grep -c farmem_submit: /tmp/trace)" "$(grep -c farmem_complete: /tmp/trace)" "completions"
power_off volumes/v
power_off sessions/s
grep -q 'session=s old=live' $trace/trace || die "no trace of the session's end"
echo 0 >$trace/events/farmem/enable
all_off
