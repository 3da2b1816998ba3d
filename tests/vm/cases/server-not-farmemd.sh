# SPDX-License-Identifier: GPL-2.0
# TEST: something else listens at the port: rejected or nonsensical, the message says so
. "$FARMEM_TESTS/vm/cases.sh"

sense="session default: $SERVER: its answer does not make sense; is that a farmemd of this version? (-71)"
rejected="session default: $SERVER: connection rejected: "

refused() {
	expect_no_load "$1" server="$SERVER" size=32M connect_timeout=5
}

for answer in rep.magic=0 rep.version=0 rep.version=2 rep.queue_count=0 rep.queue_count=999 rep.bytes=6 rep.bytes=0; do
	fake_server $answer
	refused "$sense"
done
fake_server reject=plain
refused "$rejected"
expect_log 'is that a farmemd? (-111)'
fake_server reject=3 rej.magic=0
refused "$rejected"
end_process "$fake_pid"

# A real program that is no farmemd; it gets a request it does not know.
rping -s -a 10.0.0.1 -p 7471 &
listens() { rdma resource show cm_id | grep -q 'LISTEN.*:7471'; }
wait_for 10 listens
refused "$sense"
end_process $!
