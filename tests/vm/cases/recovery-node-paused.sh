# SPDX-License-Identifier: GPL-2.0
# TEST: the whole memory node stands still until the session gives up, and goes on: so does all I/O
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M io_deadline=-1
verify_start
pause_memory_node
wait_for 60 recovering
continue_memory_node
wait_for 120 live
verify_more
verify_end
expect_idle
unload
