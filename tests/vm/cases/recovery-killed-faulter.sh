# SPDX-License-Identifier: GPL-2.0
# TEST: a program that waits for its page from swap while the server is away can be killed, whether or not the read was posted before
# LONG: yes
# KERNELS: 6.1 6.12 newest
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

waits() { recovering && [[ $(</proc/"$(pgrep -x farmem-memory)"/stat) == *' D '* ]]; }
gone() { ! kill -0 "$program" 2>/dev/null; }
frozen() { grep -qx 'frozen 1' "$group/cgroup.events"; }

# Has written all its memory, most of which is out.
start() {
	rm -f /tmp/filled
	run_in_cgroup 8M farmem-memory 16 fill touch=/tmp/filled until=/tmp/stop &
	program=$! group=/sys/fs/cgroup/test.$!
	wait_for 60 test -e /tmp/filled
}

# The program waits by now; it goes, while the server is away.
goes_when_killed() {
	wait_for 60 waits
	pkill -KILL -x farmem-memory
	wait_for 20 gone
	wait "$program" || true
}

pool=/dev/shm/farmem.pool

serve --pool $pool
load_volume 32M io_deadline=-1
swap_on
start
stop_farmemd KILL
wait_for 20 recovering
goes_when_killed
serve --pool $pool
wait_for 60 live

# With room in its cgroup what it does next is read, and that is posted.
start
echo 1 >"$group/cgroup.freeze"
wait_for 20 frozen
echo max >"$group/memory.max"
set_fault fail_post_hard 1
echo 0 >"$group/cgroup.freeze"
wait_for 20 recovering
stop_farmemd KILL
goes_when_killed
set_fault fail_post_hard 0
serve --pool $pool
wait_for 60 live
within 60 swapoff /dev/farmem0
unload
rm $pool
