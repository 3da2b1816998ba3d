# SPDX-License-Identifier: GPL-2.0
# TEST: an IPv6 server and a source address of the same family work; a foreign source is refused
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

on-memory-node ip address show dev "$FARMEM_NETDEV" | grep -F fd00::1
serve_at "[fd00::1]:7471"
load server='[fd00::1]:7471' source=fd00::1 size=32M connect_timeout=10
expect_text fd00::1 "$(farmemctl server list --json | jq -r '.loans[0].peer')" "the client's address"
put_data
check_data
unload

in_time 15 expect_no_load 'session default: [fd00::1]:7471: error -99 while resolving the address (-99)' \
	server='[fd00::1]:7471' source=fd00::99 size=32M connect_timeout=3
# With a port left out it is the usual one, with or without brackets.
load server=fd00::1 size=32M connect_timeout=10
check_data
unload
stop_farmemd

serve_at 10.0.0.1:7471
load server=10.0.0.1 source=10.0.0.1 size=32M connect_timeout=10
expect_equal 10.0.0.1 "$(cat $CONFIG/sessions/default/source)" "source"
unload
