# SPDX-License-Identifier: GPL-2.0
# TEST: name=, client= and uuid= reach the kernel's objects and the server
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

uuid=01234567-89ab-4def-8123-456789abcdef
serve
load_volume 32M name=scratch client=worker-7 uuid=$uuid
expect_equal scratch "$(counter volume)" "name of the volume"
expect_equal scratch "$(counter session)" "name of its session"
expect_equal $uuid "$(counter uuid)" "its UUID"
expect_equal worker-7 "$(value sessions/scratch client)" "client"
expect_equal "worker-7 scratch $uuid true" \
	"$(farmemctl server list --json | jq -r '.loans[0] | "\(.client) \(.volume) \(.uuid) \(.open)"')" \
	"the server's view"
unload
