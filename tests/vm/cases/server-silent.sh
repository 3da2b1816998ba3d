# SPDX-License-Identifier: GPL-2.0
# TEST: a server that goes silent at any step is given up after connect_timeout, with a message for that step
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# timed_out TEXT - loading ends in time
timed_out() {
	in_time 20 expect_no_load "$1" server="$SERVER" size=1M connect_timeout=2
}

fake_server silent=connect
timed_out "session default: $SERVER: no answer within 2 s while connecting; is the address right, the memory node up (see 'ip neigh'), and UDP port 4791 open between the nodes? (-110)"
stopped='is farmemd stopped, or does its adapter hang? see its log (-110)'
fake_server silent=hello
timed_out "session default: the server is connected but does not answer (WELCOME); $stopped"
fake_server silent=open
timed_out "volume default: the server is connected but does not answer (GRANT); $stopped"
# A late answer to an earlier request is not taken for this one.
fake_server grant.msg.id=1
timed_out "volume default: the server is connected but does not answer (GRANT); $stopped"
fake_server grant.parts=2
timed_out "volume default: the server is connected but does not answer (GRANT); $stopped"
# Nor does it help to say WORKING, faster than the clock ticks, where nobody waits for it.
fake_server flood=hello
timed_out "session default: the server is connected but does not answer (WELCOME); $stopped"
