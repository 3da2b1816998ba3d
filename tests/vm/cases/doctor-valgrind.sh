# SPDX-License-Identifier: GPL-2.0
# TEST: valgrind finds no leak in the doctor, nor in its helper on the whole way to a server
# LONG: yes
# CPUS: 1
# TIMEOUT: 500
. "$FARMEM_TESTS/vm/cases.sh"

# What the kernel fills looks uninitialised to valgrind, and what libibverbs keeps of its
# devices by pointers into their middle possibly lost.
leakless() {
	within 240 valgrind -q --undef-value-errors=no --leak-check=full --errors-for-leak-kinds=definite,indirect \
		--show-leak-kinds=definite,indirect --error-exitcode=99 "$@" >/tmp/said 2>/tmp/valgrind ||
		die "$*: $? $(</tmp/said) $(</tmp/valgrind)"
}

put_server_keys /tmp/server.keys "alpha $KEY_A"
put_keys /tmp/client.keys "alpha $KEY_A"
serve --keys /tmp/server.keys
leakless farmem-fabric devices
leakless farmem-fabric visit "$SERVER" alpha /tmp/client.keys ''
expect_text $'step\tserver.memory\tok' "$(</tmp/said)" "what the visit came to"
leakless farmem-fabric visit "$SERVER" beta '' ''
expect_text $'step\tserver.auth\tfail' "$(</tmp/said)" "what the visit came to"
leakless farmemctl doctor --node memory
leakless farmemctl key derive alpha --key /tmp/client.keys --uuid "$SERVER_UUID"
