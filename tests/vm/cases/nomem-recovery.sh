# SPDX-License-Identifier: GPL-2.0
# TEST: a session recovers though a hundred allocations of the kernel's workers fail meanwhile, and no byte is lost
# KERNELS: 6.1-debug
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
spent() { [[ $(<"$FAILSLAB/times") == 0 ]]; }

memory_may_fail
serve --pool $pool
load_volume 16M io_deadline=-1 reconnect_delay=1 reconnect_max=1
put_data
# Workers to come inherit it from the father of them all, kthreadd.
echo 1 >/proc/2/make-it-fail
for task in /proc/[0-9]*; do
	[[ $(<"$task/comm") != kworker/u* ]] || echo 1 >"$task/make-it-fail"
done 2>/dev/null
echo Y >$FAILSLAB/task-filter
echo 100 >$FAILSLAB/times
stop_farmemd KILL
wait_for 20 recovering
echo 20 >$FAILSLAB/probability
serve --pool $pool
wait_for 60 spent
wait_for 60 live
echo 0 >$FAILSLAB/probability
check_data
put_data
check_data
expect_idle
unload
rm $pool
