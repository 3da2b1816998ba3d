# SPDX-License-Identifier: GPL-2.0
# TEST: requests that are done and not known to be are done again, and no byte is lost
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 48M io_deadline=-1
set_fault fail_completion 300
fio_verify libaio 16
set_fault fail_completion 0
wait_for 60 live
expect_at_least 3 "$(dmesg_since | grep -c 'session default: live again')" "recoveries"
expect_equal 0 "$(counter parked)" "I/O still parked"
unload
