# SPDX-License-Identifier: GPL-2.0
# TEST: farmemctl's exit codes are 0, 1 and 2, and its errors name the next step
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

# fails STATUS TEXT ARG... - of farmemctl, and says what to do next
fails() {
	local status=0 said

	said=$(within 60 farmemctl "${@:3}" 2>&1) || status=$?
	expect_equal "$1" $status "exit code of farmemctl ${*:3}"
	expect_text "$2" "$said" "farmemctl ${*:3}"
	expect_text 'next: ' "$said" "farmemctl ${*:3}"
}

fails 1 'the farmem module is not loaded' volume list
fails 1 'modprobe farmem' session list
load
fails 2 'unknown object' frobnicate
fails 2 'has no verb' volume frobnicate
fails 2 'unknown option' volume list --frobnicate
fails 2 '--size SIZE is required' volume create v --server "$SERVER"
fails 2 'give either --server or --session' volume create v --size 1M
fails 1 'nothing listens there' volume create v --size 16M --server "$SERVER" --connect-timeout 5
expect_equal '' "$(objects)" "what a failed create leaves"
fails 1 '/run/farmem/farmemd.sock' server show

serve
fails 1 'too little free memory' volume create v --size 80M --server "$SERVER"
expect_equal '' "$(objects)" "what a failed create leaves"
farmemctl volume create v --size 16M --server "$SERVER" >/dev/null
fails 1 '' volume create v --size 16M --server "$SERVER"
mkswap /dev/farmem0 >/dev/null
swapon /dev/farmem0
fails 1 'swapoff' volume delete v
swapoff /dev/farmem0
exec 3</dev/farmem0
fails 1 '/dev/farmem0' volume delete v
exec 3<&-
fails 1 'is in use by volume v' session delete "$SERVER"
farmemctl volume delete v >/dev/null
unload
