# SPDX-License-Identifier: GPL-2.0
# TEST: the link is cut for longer than io_deadline: I/O fails, what was acknowledged is there afterwards, and what failed has stayed out or stayed in
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

errors() { (($(counter write_errors) > 0 && $(counter read_errors) > 0)); }

serve
plug_in
load_volume 32M io_deadline=3
verify_start -e
unplug
wait_for 60 recovering
wait_for 60 errors
plug_in
wait_for 120 live
verify_more
verify_end
unload
