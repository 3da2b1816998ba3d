# SPDX-License-Identifier: GPL-2.0
# TEST: a whole node runs out of memory while the session of its swap recovers: the OOM killer is the worst that happens, and the session comes back
# LONG: yes
# NODES: 2
# MEMORY: 768M
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/cases.sh"

echo 100 >/proc/sys/kernel/hung_task_timeout_secs
echo 1 >/proc/sys/kernel/hung_task_panic

start_farmemd --size 320M --listen "$SERVER"
plug_in
load_volume 304M io_deadline=-1
swap_on
echo 1 >/proc/sys/vm/overcommit_memory
run_squeezed 8M farmem-memory 16 fill touch=/tmp/filled until=/tmp/stop &
other=$!
wait_for 120 test -e /tmp/filled
unplug
wait_for 60 recovering
watch_oom
farmem-memory 2048 fill &
oom_kills 200 $!

plug_in
wait_for 120 live
swaps_to_the_end $other
echo 0 >/proc/sys/kernel/hung_task_panic
unload
