# SPDX-License-Identifier: GPL-2.0
# TEST: the network is cut under I/O: errors in bounded time, rmmod works, and all is well when it is whole again
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

serve
plug_in
load_volume 32M reconnect_delay=0
put_data
fio_start --offset=4M
unplug
# Seven time-outs of about a second, and slack.
fio_fails
expect_equal failed "$(value sessions/default state)" "state of the session"
expect_text 'transport retry counter exceeded' "$(value sessions/default reason)" "reason"
in_time 20 unload

plug_in
# The server has noticed nothing so far, and asks the former life for a sign.
load_volume 32M connect_timeout=40
check_data
unload
