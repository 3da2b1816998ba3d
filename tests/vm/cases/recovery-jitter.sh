# SPDX-License-Identifier: GPL-2.0
# TEST: attempts to reconnect come a quarter earlier or later by chance, not all clients at once
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing

# How long until the next attempt, in jiffies, as recovery asked for it: when the
# timer starts some may have gone by. The first attempt is due at once.
waits() {
	sed -n 's/.*farmem_wait: .* caller=recovery_\(try_later\|reconnect_work\)+.* wait=\([1-9][0-9]*\)$/\2/p' \
		$trace/trace
}
eight() { (($(waits | wc -l) >= 8)); }

serve
load_volume 32M io_deadline=-1 reconnect_delay=1 reconnect_max=1
# shellcheck disable=SC2016 # The kernel's words: the return address, the fourth argument.
echo 'p:farmem_wait mod_delayed_work_on caller=$stack0:symbol wait=$arg4:u64' >>$trace/kprobe_events
echo 1 >$trace/events/kprobes/farmem_wait/enable
stop_farmemd KILL
wait_for 60 eight
echo 0 >$trace/events/kprobes/farmem_wait/enable
mapfile -t drawn < <(waits | head -n 8 | sort -n)
echo >$trace/kprobe_events
# Eight draws from a hundred and more.
((drawn[0] < drawn[7])) || die "attempts come ${drawn[0]} jiffies after one another, each time"
((drawn[7] * 3 <= (drawn[0] + 1) * 5)) || die "more than a quarter: ${drawn[*]}"
serve
wait_for 60 live
unload
