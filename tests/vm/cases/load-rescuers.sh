# SPDX-License-Identifier: GPL-2.0
# TEST: each of the workqueues that I/O may wait for has a thread in reserve, for when no new one can be made for want of memory
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
expect_equal 'farmem farmem_connect farmem_io ' "$(threads | sed 's/.*R-//' | sort | tr '\n' ' ')" "rescuers"
unload
