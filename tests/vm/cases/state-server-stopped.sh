# SPDX-License-Identifier: GPL-2.0
# TEST: a session whose farmemd is stopped ends in bounded time by rmmod, delete or swapoff, and outlives a suspend
# LONG: yes
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/states.sh"

enter() {
	on-memory-node pkill -STOP -x farmemd
}

serve_again() {
	on-memory-node pkill -CONT -x farmemd
}

keeps_data=yes
ends_in_every_way io_deadline=-1
