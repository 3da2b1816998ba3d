# SPDX-License-Identifier: GPL-2.0
# TEST: the link is cut until the session gives up, 7.5 s and more: I/O waits, and all of it goes on when the link is back
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

serve
plug_in
load_volume 32M io_deadline=-1
verify_start -n 2048
unplug
wait_for 60 recovering
plug_in
wait_for 120 live
verify_more
verify_end
expect_idle
unload
