# SPDX-License-Identifier: GPL-2.0
# TEST: a process that reads the disk through the page cache while the server is away can be killed, and others find every byte afterwards
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

asleep() { grep -q farmem_park_wait "/proc/$reader/stack"; }
over() { ! kill -0 "$reader" 2>/dev/null; }

serve --pool /dev/shm/farmem.pool
load_volume 32M io_deadline=-1
put_data
stop_farmemd KILL
wait_for 20 recovering
dd if=/dev/farmem0 of=/dev/null bs=4k count=1 status=none &
reader=$!
wait_for 20 asleep
kill -KILL "$reader"
# It closes the disk, and nobody else has it open.
wait_for 20 over
dd if=/dev/farmem0 of=/tmp/read bs=64k count=32 status=none &
reader=$!
wait_for 20 asleep
serve --pool /dev/shm/farmem.pool
wait_for 60 live
wait "$reader"
cmp /tmp/read /tmp/data
in_time 20 unload
