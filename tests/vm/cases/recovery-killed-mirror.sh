# SPDX-License-Identifier: GPL-2.0
# TEST: a reader of a mirror (md raid1) that is killed while the server is away costs the mirror nothing: no error, no repair, both legs stay
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

parked() { (($(cat /sys/block/farmem*/farmem/parked | awk '{ n += $1 } END { print n }'))); }
asleep() { grep -q farmem_park_wait "/proc/$reader/stack"; }
held() { parked || asleep; }
over() { ! kill -0 "$reader" 2>/dev/null; }

modprobe raid1
serve --pool /dev/shm/farmem.pool
load
make_session s
power_on sessions/s
for side in left right; do
	make_volume $side session=s size=16M io_deadline=-1
	power_on volumes/$side
done
mdadm --create /dev/md0 --run --level=1 --raid-devices=2 --assume-clean --metadata=1.2 \
	/dev/farmem0 /dev/farmem1
farmem-pages /dev/md0 write=0,256,1
echo 3 >/proc/sys/vm/drop_caches
# Open, so that the reader's exit does not wait for the page.
sleep 600 8</dev/md0 &
holder=$!
stop_farmemd KILL
wait_for 20 recovering s
mark_dmesg
dd if=/dev/md0 of=/dev/null bs=4k count=1 status=none &
reader=$!
wait_for 20 held
kill -KILL "$reader"
wait_for 20 over
serve --pool /dev/shm/farmem.pool
wait_for 60 live s
kill "$holder"
farmem-pages /dev/md0 check=0,256,1
expect_no_log 'md/raid1'
expect_equal 0 "$(</sys/block/md0/md/degraded)" "missing legs"
wait_for 20 mdadm --stop /dev/md0
all_off
