# SPDX-License-Identifier: GPL-2.0
# TEST: swapoff while a program uses its swapped pages leaves it every byte
# PARALLEL: yes
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

# The memory that swapoff needs; the limit was there to push pages out.
lift_limit() {
	echo max | tee /sys/fs/cgroup/test.*/memory.max >/tmp/out
}

serve
load_volume 48M
swap_on
run_squeezed 14M farmem-memory 28 fill random touch=/tmp/swapping until=/tmp/stop &
program=$!
wait_for 60 test -e /tmp/swapping
lift_limit
used=$(awk '$1 == "/dev/farmem0" { print $4 }' /proc/swaps)
expect_at_least 8192 "$used" "KiB of swap in use"
swapoff /dev/farmem0
expect_equal '' "$(tail -n +2 /proc/swaps)" "swap areas"
: >/tmp/stop
wait $program
expect_idle
