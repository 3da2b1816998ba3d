# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd is stopped (SIGSTOP) for a minute under I/O, which does not even notice
# LONG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
verify_start
on-memory-node pkill -STOP -x farmemd
stopped_since=$SECONDS
until ((SECONDS - stopped_since > 60)); do
	verify_more
done
expect_equal live "$(value sessions/default state)" "state of the session"
on-memory-node pkill -CONT -x farmemd
verify_more
verify_end
expect_equal live "$(value sessions/default state)" "state of the session"
expect_no_log 'recovering'
expect_idle
unload
