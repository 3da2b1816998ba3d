# SPDX-License-Identifier: GPL-2.0
# TEST: a session that is live, with a program that swaps and one that reads, ends in bounded time by rmmod, delete or swapoff, and outlives a suspend
# LONG: yes
. "$FARMEM_TESTS/vm/states.sh"

enter() {
	live "$@"
}

serve_again() { :; }

keeps_data=yes
ends_in_every_way io_deadline=-1
