# SPDX-License-Identifier: GPL-2.0
# TEST: an administrator gets the memory of a silent client back, not of a connected one unless forced
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

lent() { farmemctl server show --json | jq '.server[0].lent'; }

serve
load_volume 32M client=worker
put_data
uuid=$(counter uuid)
expect_text 'the client is connected' "$(expect_fail farmemctl server release --client worker 2>&1)" \
	"release of a connected client"
expect_text 'no such client' "$(expect_fail farmemctl server release --client nobody 2>&1)" \
	"release of an unknown client"
expect_equal $((32 << 20)) "$(lent)" "memory lent"
check_data
unload

farmemctl server release --client worker --volume "$uuid"
expect_equal 0 "$(lent)" "memory lent"
load_volume 32M client=worker
zeros /dev/farmem0 2097152 || die "released memory came back with its data"
put_data
reload 32M client=worker reconnect_delay=0
farmemctl server release --client worker --force
wait_for 10 failed
expect_fail dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none
expect_equal 0 "$(lent)" "memory lent"
unload
