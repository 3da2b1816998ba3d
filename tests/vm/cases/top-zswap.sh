# SPDX-License-Identifier: GPL-2.0
# TEST: zswap in front of swap on a volume, and the server restarted: a program that swaps keeps its memory
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool
zswap=/sys/module/zswap/parameters
compressed() { (($(</sys/kernel/debug/zswap/stored_pages) > 0)); }
written() { (($(counter writes) > $1)); }

modprobe -aq lzo zstd zbud zsmalloc || true
echo 1 >$zswap/max_pool_percent
echo 1 >$zswap/enabled
trap 'echo 0 >$zswap/enabled; leave $?' EXIT
serve --pool $pool
load_volume 64M io_deadline=-1
swap_on
# Squeezed, not killed: while the server is away nothing can go out. What zswap keeps
# counts as the program's memory (5.19+): more than its limit would hold it for good.
# shellcheck disable=SC2016 # the inner shell's
keep_little='limit=/sys/fs/cgroup$(cut -d: -f3 /proc/self/cgroup)/memory.zswap.max
	[ ! -e "$limit" ] || echo 4M >"$limit"
	exec "$@"'
run_squeezed 16M sh -c "$keep_little" sh farmem-memory 60 fill random until=/tmp/stop &
program=$!
wait_for 60 compressed
wait_for 60 written 500
replace_farmemd --pool $pool
wait_for 60 written "$(($(counter writes) + 100))"
: >/tmp/stop
wait $program || die "the program found a wrong byte"
echo 0 >$zswap/enabled
within 60 swapoff /dev/farmem0
expect_idle
unload
rm $pool
