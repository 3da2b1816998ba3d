# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd gives free memory back when the kernel tells that a program waits for memory, although enough is available, and keeps it when none does
# KERNELS: 6.1 6.12
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/swap.sh"

MIB=$((1 << 20))
server() { farmemctl server show --json | jq ".server[0].$1"; }
holds() { [[ $(server held) == $(($1 * MIB)) ]]; }

# A machine that never has too little.
serve --size 32M..160M --slab-size 4M --headroom 1M
load
farmemctl volume create one --size 96M --server "$SERVER"
farmemctl volume delete one
all_is_free() { [[ $(server lent) == 0 && $(server quarantined) == 0 && $(server dirty) == 0 ]]; }
wait_for 60 all_is_free
expect_equal $((96 * MIB)) "$(server held)" "free memory that nobody needs"

# It has less than it wants, and no swap: the kernel has it wait at each page.
run_squeezed 8M farmem-memory 32 fill >/dev/null 2>&1 &
program=$!
wait_for 120 holds 32 || die "$(cat /proc/pressure/memory): $(farmemctl server show)"
kill $program
wait $program || true
unload
