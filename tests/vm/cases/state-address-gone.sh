# SPDX-License-Identifier: GPL-2.0
# TEST: a session whose own address is gone ends in bounded time by rmmod, delete or swapoff, and outlives a suspend, no byte lost
# LONG: yes
# NODES: 2
# TIMEOUT: 600
. "$FARMEM_TESTS/vm/states.sh"

ends_in_every_way_during client_address
