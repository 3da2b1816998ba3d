# SPDX-License-Identifier: GPL-2.0
# TEST: memory.reclaim pushes a program's memory out to farmem without any limit, and every byte comes back
# LONG: yes
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

group=/sys/fs/cgroup/idle

serve
load_volume 48M
swap_on
mkdir $group
# shellcheck disable=SC2016 # the inner shell's arguments
sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' $group \
	farmem-memory 32 fill touch=/tmp/filled until=/tmp/stop &
program=$!
wait_for 60 test -e /tmp/filled
# What could not be reclaimed of it is no failure here.
echo 24M >$group/memory.reclaim || true
# The program goes on and brings pages back meanwhile.
expect_at_least $((8 << 20)) "$(counter write_bytes)" "bytes swapped out"
expect_equal max "$(<$group/memory.max)" "limit of the cgroup"
: >/tmp/stop
wait $program
swapoff /dev/farmem0
rmdir $group
expect_idle
