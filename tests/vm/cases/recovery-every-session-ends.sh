# SPDX-License-Identifier: GPL-2.0
# TEST: I/O that ends each session that it comes to fails when its own deadline is over, and is not sent again for ever
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M io_deadline=10 reconnect_delay=1 reconnect_max=1 heartbeat=0
put_data
# The session comes back each time, and with it the clock of what comes anew.
set_fault fail_completion 1
! within 90 dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none ||
	die "a read succeeded, and none could"
expect_at_least 2 "$(dmesg_since | grep -c 'session default failed')" "sessions that it ended"
set_fault fail_completion 0
wait_for 60 live
check_data
unload
