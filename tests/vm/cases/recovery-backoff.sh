# SPDX-License-Identifier: GPL-2.0
# TEST: attempts to reconnect come at distances that double, up to reconnect_max
# CPUS: 1
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

trace=/sys/kernel/tracing

# When each began, in ms.
attempts() {
	sed -nE 's/.* ([0-9]+)\.([0-9]{3})[0-9]*: workqueue_execute_start: .*function recovery_reconnect_work.*/\1\2/p' $trace/trace
}
seven() { (($(attempts | wc -l) >= 7)); }

serve
load_volume 32M io_deadline=-1 reconnect_delay=1 reconnect_max=4
echo 1 >$trace/events/workqueue/workqueue_execute_start/enable
stop_farmemd KILL
wait_for 120 seven
echo 0 >$trace/events/workqueue/workqueue_execute_start/enable

mapfile -t at < <(attempts)
distance() { echo $((at[$1] - at[$1 - 1])); }
# A quarter less or more, by chance, of 1 s, 2 s, and then of four fifths of the most;
# an attempt takes its time besides.
expect_at_least 700 "$(distance 1)" "ms before the second attempt"
expect_at_least 1450 "$(distance 2)" "ms before the third"
expect_at_least 2350 "$(distance 3)" "ms before the fourth"
least=$(for i in 4 5 6; do distance $i; done | sort -n | head -n 1)
expect_at_least 2350 "$least" "ms between later ones"
# Doubled on and on it would be 32 s, a quarter less at the least.
(($(distance 6) < 24000)) || die "$(distance 6) ms before the seventh, with reconnect_max=4"
serve
wait_for 60 live
unload
