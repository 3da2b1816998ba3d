# SPDX-License-Identifier: GPL-2.0
# TEST: a process that waits for a read that was never posted can be killed
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

asleep() { grep -q farmem_park_wait "/proc/$reader/stack"; }
gone() { ! kill -0 "$reader" 2>/dev/null; }

serve
load_volume 32M io_deadline=-1
put_data
stop_farmemd KILL
wait_for 20 recovering
dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none &
reader=$!
wait_for 20 asleep
kill -KILL "$reader"
wait_for 20 gone
in_time 20 unload
