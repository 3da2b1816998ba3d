# SPDX-License-Identifier: GPL-2.0
# TEST: a program that swaps goes on while posting fails again and again; its memory is intact
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 64M io_deadline=-1
swap_on
set_fault fail_post_hard 200
run_squeezed 16M farmem-memory 32 fill random sequential
set_fault fail_post_hard 0
wait_for 60 live
expect_at_least 3 "$(dmesg_since | grep -c 'session default: live again')" "recoveries"
within 60 swapoff /dev/farmem0
unload
