# SPDX-License-Identifier: GPL-2.0
# TEST: a session that has failed ends in bounded time by rmmod, delete or swapoff, and outlives a suspend
# LONG: yes
. "$FARMEM_TESTS/vm/states.sh"

session_settings=(reconnect_delay=0)

enter() {
	stop_farmemd KILL
	wait_for 20 failed "$@"
}

ends_in_every_way
