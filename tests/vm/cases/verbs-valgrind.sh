# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: neither client nor server loses memory, or reads what was never written
# LONG: yes
# KERNELS: 6.1 6.12 7.2
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
