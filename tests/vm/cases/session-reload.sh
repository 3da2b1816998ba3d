# SPDX-License-Identifier: GPL-2.0
# TEST: a reload of the module finds its data, by the client's and the volume's name; another client does not
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M
put_data
uuid=$(counter uuid) generation=$(counter generation)
unload
expect_equal 'false false 33554432' \
	"$(farmemctl server list --json | jq -r '.loans[0] | "\(.connected) \(.open) \(.bytes)"')" \
	"what the server keeps"
load_volume 32M
expect_equal "$uuid" "$(counter uuid)" "UUID"
expect_equal "$generation" "$(counter generation)" "generation"
check_data
unload
load_volume 32M client=somebody-else
zeros /dev/farmem0 2097152 || die "another client reads data that is not its own"
unload
load_volume 32M
check_data
unload
