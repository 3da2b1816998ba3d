# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: neither client nor server loses memory, or reads what was never written
# LONG: yes
# KERNELS: 6.1 6.12 newest
# TIMEOUT: 1200
. "$FARMEM_TESTS/vm/verbs.sh"

# A fork of the server is under valgrind, too; its status is that of the server.
check=(valgrind -q --error-exitcode=99 --leak-check=full "--show-leak-kinds=definite,indirect"
	"--errors-for-leak-kinds=definite,indirect")
run() {
	"${check[@]}" farmem-verbs server --once >/tmp/server.out 2>&1 &
	server=$!
	wait_for 300 grep -q '^listening' /tmp/server.out
	"${check[@]}" farmem-verbs client "$FARMEM_SERVER" --iterations 8 --timeout 300 --verify "$@" >/tmp/client.out 2>&1 ||
		die "client $*: $(</tmp/client.out) server: $(</tmp/server.out)"
	wait $server || die "server of $*: $(</tmp/server.out)"
}
run --op send --srq --queues 2 --wait event --sge 2
run --setup cm --op read --shared-cq --queues 2
run --show rkey

# Every other way of a client, at a server that stays.
client() { # STATUS ARG...
	local status=0

	"${check[@]}" farmem-verbs client "$FARMEM_SERVER" --iterations 8 --timeout 300 "${@:2}" >/tmp/client.out 2>&1 ||
		status=$?
	expect_equal "$1" $status "status of client ${*:2}: $(</tmp/client.out)"
}
verbs_serve
client 0 --verify --setup cm --transport ud --queues 2
client 0 --verify --transport uc --op write-imm --inline --size 32 --signal-every 4
client 0 --verify --mw --op write
client 0 --verify --op cas
client 0 --verify --processes 2 --share fork --json
client 0 --verify --processes 2 --share shm
client 3 --processes 2 --share import
client 0 --order --queues 2
client 0 --show rejected --setup cm
client 0 --show window --json
client 1 --gid-index 99
gone() { ! pgrep -x farmem-verbs; }
pkill -x farmem-verbs
wait_for 20 gone
"${check[@]}" farmem-verbs explain all >/tmp/client.out

# What connects and is no client. The server of one client ends with it, and complains alone.
stranger() { # TEXT SAID NEXT
	"${check[@]}" farmem-verbs server --once >/tmp/server.out 2>&1 &
	server=$!
	wait_for 300 grep -q '^listening' /tmp/server.out
	exec 4<>"/dev/tcp/$FARMEM_SERVER/7472"
	printf '%b' "$1" >&4
	exec 4>&-
	status=0
	wait $server || status=$?
	expect_equal 1 $status "status of the server of a stranger"
	expect_equal "listening at all addresses port 7472
farmem-verbs: $2
  next: $3" "$(</tmp/server.out)" "what it says to '$1'"
}
release='farmem-verbs --version    (on both ends: both must be of one release)'
stranger '' "the other end is gone: it ended, or the network failed" 'read the standard error of the other end; is its host up?'
stranger 'GET / HTTP/1.0\n' 'the other end said "GET / HTTP/1.0" where "run" was expected' "$release"
stranger 'run depth=0\n' "the run is not understood" "$release"
