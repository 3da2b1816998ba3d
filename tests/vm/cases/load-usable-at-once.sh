# SPDX-License-Identifier: GPL-2.0
# TEST: when insmod returns, the disk is there, has its size and takes I/O; rmmod leaves nothing
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
expect_equal $((32 << 20)) "$(blockdev --getsize64 /dev/farmem0)" "size"
expect_equal 4096 "$(blockdev --getss /dev/farmem0)" "logical block"
expect_equal live "$(counter state)" "state"
put_data
check_data
expect_text "farmem" "$(traces)" "traces of a loaded module"
expect_text farmem "$(threads)" "threads of a loaded module"
expect_text ' lqpn ' "$(traces)" "traces of its queue pairs"
unload
no_threads_left
stop_farmemd
