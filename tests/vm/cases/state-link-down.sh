# SPDX-License-Identifier: GPL-2.0
# TEST: a session whose link is cut ends in bounded time by rmmod, delete or swapoff, and outlives a suspend
# LONG: yes
# NODES: 2
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/states.sh"

enter() {
	unplug
	wait_for 60 recovering "$@"
}

serve_again() {
	plug_in
}

leave_state() {
	[[ $(tc qdisc show dev "$FARMEM_NETDEV") != *netem* ]] || plug_in
}

ends_in_every_way io_deadline=-1
