# SPDX-License-Identifier: GPL-2.0
# TEST: a session that recovers, with I/O that waits, ends in bounded time by rmmod, delete or swapoff, and outlives a suspend
# LONG: yes
. "$FARMEM_TESTS/vm/states.sh"

# Memory that is lost ends the wait as well: what waits is told.
enter() {
	stop_farmemd KILL
	wait_for 20 recovering "$@"
}

ends_in_every_way io_deadline=-1
