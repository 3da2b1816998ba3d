# SPDX-License-Identifier: GPL-2.0
# TEST: a client that READs or WRITEs outside what it was granted is refused and thrown out, with its name and the cause in the log; others notice nothing
# LONG: yes
# TIMEOUT: 480
. "$FARMEM_TESTS/vm/cases.sh"

size=$((16 << 20))
strays=0

# reaches QUEUE - what mallory is granted is there, through that queue.
reaches() {
	peer -n mallory -q 2 "$FARMEM_SERVER" 7471 connect hello queue=1 open=1,$size "on=$1" \
		poke=data+0 peek=data+$((size - 8))
	peer_said 30 'poke ok'
	peer_said 30 'peek ok'
	wait "$peer_pid"
}

broken() { farmemd_log | grep -cF '(mallory): session closed: queue'; }

# refused QUEUE STEP - that is not, and ends the session.
refused() {
	peer -n mallory -q 2 "$FARMEM_SERVER" 7471 connect hello queue=1 open=1,$size "on=$1" "$2" gone=20000
	peer_denied 30 "${2%%=*}"
	peer_said 30 disconnected
	wait "$peer_pid"
	strays=$((strays + 1))
	expect_equal $strays "$(broken)" \
		"sessions that farmemd has thrown out, after $2 on queue $1, and it says: $(farmemd_log | tail -n 3)"
	expect_text "(mallory): session closed: queue $1 broke (" "$(farmemd_log | grep -F '(mallory): session closed: queue' |
		tail -n 1)" "farmemd's log"
}

serve
bystander
reaches 0
# Below is the bystander's memory, above is what nobody has.
for what in peek poke; do
	refused 0 $what=data-8
	refused 0 $what=data+$size
done
reaches 1
refused 1 poke=data-8
refused 1 peek=data+$size
refused 1 poke=data+$((size - 4))
refused 1 peek=data+$((1 << 40))
refused 1 poke=data-$((1 << 40))
undisturbed
# The key next to its own.
refused 0 peek=data+0,1
refused 0 poke=data+0,1
# The state bytes, and what is there to be read only, or written only.
refused 0 poke=state-1
refused 0 poke=state+$((size / 4096))
refused 0 poke=status+0
refused 0 peek=status+4096
refused 0 peek=beat+0
refused 0 poke=beat+4096
reaches 0
leave_undisturbed
