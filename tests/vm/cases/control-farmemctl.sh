# SPDX-License-Identifier: GPL-2.0
# TEST: farmemctl creates, lists, shows and deletes volumes and sessions of the real module
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
# Over nothing at all.
expect_equal '{"version":1,"volumes":[]}' "$(farmemctl volume list --json | jq -c .)" "list of no volumes"
farmemctl volume create data --size 32M --server "$SERVER"
disk=/dev/farmem0
[[ -b $disk ]] || die "there is no $disk"
put_data
expect_equal "data $disk 33554432 live $SERVER" \
	"$(farmemctl volume list -bn -o name,device,size,state,session | xargs)" "list of volumes"
farmemctl session list | grep "$SERVER.*live" >/dev/null || die "$(farmemctl session list)"
farmemctl session show "$SERVER" | grep -i live >/dev/null
farmemctl volume show data | grep "$(value volumes/data uuid)" >/dev/null || die "$(farmemctl volume show data)"
expect_equal swap "$(mkswap /dev/farmem0 >/dev/null; swapon /dev/farmem0
	farmemctl volume list -n -o use | xargs; swapoff /dev/farmem0)" "use"
put_data

# A second volume shares the session; the first keeps its data on the server.
farmemctl volume create more --size 16M --session "$SERVER"
farmemctl volume delete data --keep
farmemctl volume create data --size 32M --server "$SERVER"
check_data "$(value volumes/data device)"
farmemctl volume delete data
farmemctl volume delete more
expect_equal 0 "$(farmemctl server show --json | jq '.server[0].lent')" "memory lent"
expect_equal '' "$(objects)" "sessions and volumes"

farmemctl session create named --server "$SERVER" --queues 1
expect_equal 1 "$(value sessions/named queue_count)" "queues"
farmemctl session delete named
unload
