# SPDX-License-Identifier: GPL-2.0
# TEST: posting fails again and again: each time the session comes back, and no byte is lost
# DEBUG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M io_deadline=-1
set_fault fail_post_hard 400
fio_verify libaio 16
set_fault fail_post_hard 0
wait_for 60 live
expect_at_least 3 "$(dmesg_since | grep -c 'session default: live again')" "recoveries"
expect_equal 0 "$(counter parked)" "I/O still parked"
unload
