# SPDX-License-Identifier: GPL-2.0
# TEST: attempts to reconnect come a quarter earlier or later by chance, not all clients at once
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing
events=(workqueue/workqueue_execute_start workqueue/workqueue_execute_end timer/timer_start)

# How long until the next attempt, in jiffies: the last timer of each.
waits() {
	awk '
		{ task = $0; sub(/ +\[[0-9]+\].*/, "", task); sub(/.*-/, "", task) }
		/workqueue_execute_start: .*function reconnect_work/ { inside[task] = 1; wait = "" }
		/timer_start: .*function=delayed_work_timer_fn / && task in inside {
			wait = $0
			sub(/.*timeout=/, "", wait)
			sub(/].*/, "", wait)
		}
		/workqueue_execute_end: / && task in inside { delete inside[task]; if (wait) print wait }
	' $trace/trace
}
eight() { (($(waits | wc -l) >= 8)); }

serve
load_volume 32M io_deadline=-1 reconnect_delay=1 reconnect_max=1
for event in "${events[@]}"; do
	echo 1 >"$trace/events/$event/enable"
done
stop_farmemd KILL
wait_for 60 eight
mapfile -t drawn < <(waits | head -n 8 | sort -n)
# Eight draws from a hundred and more.
((drawn[0] < drawn[7])) || die "attempts come ${drawn[0]} jiffies after one another, each time"
((drawn[7] * 3 <= (drawn[0] + 1) * 5)) || die "more than a quarter: ${drawn[*]}"
for event in "${events[@]}"; do
	echo 0 >"$trace/events/$event/enable"
done
serve
wait_for 60 live
unload
