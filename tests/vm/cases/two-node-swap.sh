# SPDX-License-Identifier: GPL-2.0
# TEST: over a link that is slower than memory, swapping slows a program down; nothing is killed for want of memory
# NODES: 2
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

# A disk that takes any number of writes at once lets reclaim put all of a
# cgroup under writeback; it then finds no page to take and calls for a kill.
serve --size 128M
load_volume 96M
swap_on
run_squeezed 20M farmem-memory 64 fill random
swapoff /dev/farmem0
expect_at_least $((44 << 20)) "$(counter write_bytes)" "bytes swapped out"
expect_idle
