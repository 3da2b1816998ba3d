# SPDX-License-Identifier: GPL-2.0
# TEST: a reader that waits for a lost session does not keep the freezer from freezing all, and goes on when it is thawed
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

waits() { grep -q farmem_park_wait "/proc/$1/stack"; }

# outlives_freezer DD-OPTION... - a reader of the first page. One at a time: on 6.1 a task that
# seeks on the disk waits for a lock that the other one holds, where nobody can be frozen.
outlives_freezer() {
	local reader

	stop_farmemd KILL
	wait_for 20 recovering
	dd if=/dev/farmem0 of=/tmp/read bs=4k count=1 status=none "$@" &
	reader=$!
	wait_for 20 waits $reader
	# All is frozen and thawed again, no more.
	within 60 sh -c 'echo freeze >/sys/power/state' || die "a suspend is refused, with dd $*"
	waits $reader || die "the reader no longer waits, with dd $*"
	serve --pool $pool
	wait_for 60 live
	wait $reader
	cmp -n 4096 /tmp/read /tmp/data
}

echo 5000 >/sys/power/pm_freeze_timeout
echo freezer >/sys/power/pm_test
serve --pool $pool
load_volume 32M io_deadline=-1
put_data
outlives_freezer iflag=direct
outlives_freezer
echo none >/sys/power/pm_test
expect_idle
unload
rm $pool
