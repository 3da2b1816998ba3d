# SPDX-License-Identifier: GPL-2.0
# TEST: a kill ends an insmod that waits for a server, and nothing is left
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

connecting() {
	rdma resource show cm_id | grep -F '[farmem]'
}

fake_server silent=connect
# Killed, modprobe must be gone long before connect_timeout.
modprobe farmem server="$SERVER" size=1M connect_timeout=200 &
wait_for 20 connecting
kill -KILL $!
over() { ! kill -0 $! 2>/dev/null; }
wait_for 20 over
wait_for 20 nothing_left
