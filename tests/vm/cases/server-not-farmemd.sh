# SPDX-License-Identifier: GPL-2.0
# TEST: something else listens at the port: rejected or nonsensical, the message says so
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

sense="session default: $SERVER: its answer does not make sense; is that a farmemd of this version? (-71)"
rejected="session default: $SERVER: connection rejected: "

refused() {
	expect_no_load "$1" server="$SERVER" size=32M connect_timeout=5
}

fake_server rep.magic=0 , rep.version=0 , rep.version=2 , rep.queue_count=0 , \
	rep.queue_count=999 , rep.bytes=6 , rep.bytes=0 , reject=plain , reject=3 rej.magic=0
for _ in {1..7}; do
	refused "$sense"
done
for _ in {1..2}; do
	refused "$rejected"
	expect_log 'is that a farmemd? (-111)'
done
end_process "$fake_pid"

# A real program that is no farmemd; it takes what it does not know.
rping -s -a "$FARMEM_SERVER" -p 7471 &
listens() { rdma resource show cm_id | grep 'LISTEN.*:7471' >/dev/null; }
wait_for 10 listens
refused "$sense"
