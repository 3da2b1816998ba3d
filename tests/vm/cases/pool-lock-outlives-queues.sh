# SPDX-License-Identifier: GPL-2.0
# TEST: of a farmemd that dies the pool's lock is given up last: its queue pairs are gone before another one may lend the memory
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

# The kernel closes the files of a process that dies from the highest to the lowest:
# they are its task works, last in, first out (kernel/task_work.c).
files() {
	find "/proc/$(</run/farmemd.test.pid)/fd" -lname "$1" -printf '%f\n' | sort -n
}

serve --pool $pool
load_volume 32M
lock=$(files $pool | tail -n 1)
device=$(files '/dev/infiniband/uverbs*' | head -n 1)
[[ -n $lock && -n $device ]] || die "the pool is file '$lock', the device '$device'"
((lock < device)) || die "the pool's lock is file $lock, and goes before the device, file $device"
unload
stop_farmemd
rm $pool
