# SPDX-License-Identifier: GPL-2.0
# TEST: a memory error in farmemd's own memory ends it with a message that names the cause and the fix, and another one takes the pool over
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

serve --pool $pool
load_volume 32M io_deadline=-1
farmem-pages /dev/farmem0 write=0,8192,1
# It touches its heap within a second, for a heartbeat at the latest.
farmem-poison heap "$(</run/farmemd.test.pid)"
wait_for 60 farmemd_gone
expect_text "an uncorrectable memory error in farmemd's own memory: farmemd ends; start it again" \
	"$(farmemd_log)" "farmemd's log"
serve --pool $pool
wait_for 60 live
farmem-pages /dev/farmem0 check=0,8192,1
unload
