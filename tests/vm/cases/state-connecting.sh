# SPDX-License-Identifier: GPL-2.0
# TEST: while a session connects to a server that does not answer, delete, a kill and a suspend end in bounded time, and then rmmod
# LONG: yes
. "$FARMEM_TESTS/vm/states.sh"

connecting() { [[ $(value sessions/s state) == connecting ]]; }

# Made anew: the command that switches it on waits for the server.
connect() {
	make_session s client=tester connect_timeout=20
	bash -c 'echo 1 >"$0"' $CONFIG/sessions/s/power 2>/dev/null &
	switching=$!
	wait_for 20 connecting
}
over() { ! connecting; }

serve
on-memory-node pkill -STOP -x farmemd
load

connect
kill -KILL $switching
wait_for $BOUND over
in_time $BOUND within $BOUND farmemctl session delete s

connect
in_time $BOUND within $BOUND farmemctl session delete s || echo "delete: refused"
wait_for $BOUND over
[[ ! -d $CONFIG/sessions/s ]] || within $BOUND farmemctl session delete s

connect
freeze waiting
wait_for $BOUND over
within $BOUND farmemctl session delete s

in_time $BOUND unload
on-memory-node pkill -CONT -x farmemd
