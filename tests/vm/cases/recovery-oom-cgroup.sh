# SPDX-License-Identifier: GPL-2.0
# TEST: a cgroup runs out of memory while the session of its swap recovers: the OOM killer is the worst that happens, its victim goes at once, and nobody counts as hung
# LONG: yes
# PARALLEL: yes
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

waited_on() { ended "$other" || ((SECONDS - waiting_since > 45)); }

echo 20 >/proc/sys/kernel/hung_task_timeout_secs
echo 1 >/proc/sys/kernel/hung_task_panic

serve --pool $pool
load_volume 48M io_deadline=-1
swap_on
run_squeezed 12M farmem-memory 20 fill touch=/tmp/filled until=/tmp/stop &
other=$!
wait_for 120 test -e /tmp/filled
stop_farmemd KILL
wait_for 20 recovering
# What lies under writeback cannot be reclaimed: with memory.max there is no other way.
watch_oom
run_in_cgroup 12M farmem-memory 20 fill until=/tmp/stop &
oom_kills 120 $!
# The other one waits for longer than a hung task may.
waiting_since=$SECONDS
wait_for 120 waited_on
kill -0 $other || die "the other program has been killed"

serve --pool $pool
wait_for 60 live
swaps_to_the_end $other
echo 0 >/proc/sys/kernel/hung_task_panic
unload
rm $pool
