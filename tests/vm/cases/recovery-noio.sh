# SPDX-License-Identifier: GPL-2.0
# TEST: no page that recovery or a volume's power-on takes may wait for swap or a file system
# KERNELS: 6.1 6.12 newest
# CPUS: 1
#
# 5.10's event shows what was asked for, not what the scope left of it.
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing
events=(workqueue/workqueue_execute_start workqueue/workqueue_execute_end kmem/mm_page_alloc
	kprobes/farmem_begin kprobes/farmem_end)

# enable 1|0 - the events.
enable() {
	local event

	for event in "${events[@]}"; do
		echo "$1" >"$trace/events/$event/enable"
	done
}

# taken WHERE - the flags of each page that its tasks took meanwhile; WHERE is
# 'work' or 'begin'.
taken() {
	awk -v where="$1" '
		{ task = $0; sub(/ +\[[0-9]+\].*/, "", task); sub(/.*-/, "", task) }
		/workqueue_execute_start: .*function recovery_(reconnect|error)_work/ { inside[task] = "work" }
		/workqueue_execute_end: / { delete inside[task] }
		/farmem_begin: / { inside[task] = "begin" }
		/farmem_end: / { delete inside[task] }
		/mm_page_alloc: / && inside[task] == where { sub(/.*gfp_flags=/, ""); print }
	' /tmp/trace
}

# expect_noio WHERE
expect_noio() {
	local flags

	flags=$(taken "$1")
	! grep -E 'GFP_(KERNEL|USER|HIGHUSER|NOFS|TRANSHUGE)|__GFP_(IO|FS)' <<<"$flags" >&2 ||
		die "$1: pages that may wait for I/O, of $(wc -l <<<"$flags")"
	grep -q GFP_NOIO <<<"$flags" || die "$1: no page was taken that may wait at all: $(sort <<<"$flags" | uniq -c)"
}

serve
load
echo 8192 >$trace/buffer_size_kb
echo 'p:farmem_begin farmem_session_begin' >>$trace/kprobe_events
echo 'p:farmem_end farmem_session_end' >>$trace/kprobe_events
make_session s client=tester
power_on sessions/s
make_volume v session=s size=32M io_deadline=-1
enable 1
power_on volumes/v
stop_farmemd KILL
wait_for 30 recovering s
serve
wait_for 60 live s
enable 0
cat $trace/trace >/tmp/trace
echo >$trace/kprobe_events
expect_noio begin
expect_noio work
power_off volumes/v
power_off sessions/s
all_off
