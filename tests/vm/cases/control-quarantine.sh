# SPDX-License-Identifier: GPL-2.0
# TEST: what a session without heartbeats gave back is held until it ends, which every tool says, and server disconnect is the way out
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

held() { farmemctl server list --json | jq '.loans[0].quarantined'; }

nothing_held() { [[ $(held) == 0 ]]; }

load
serve
make_session s client=a heartbeat=0
power_on sessions/s
for v in v1 v2 v3 v4; do
	farmemctl volume create $v --size 16M --session s
	expect_text 'The server holds that memory until session s ends' \
		"$(farmemctl volume delete $v)" "what volume delete says"
done
expect_equal 67108864 "$(held)" "what is held"
expect_text '64M given back and not free yet (farmemctl server disconnect)' \
	"$(expect_fail farmemctl volume create v5 --size 16M --session s 2>&1)" "a fifth volume"

farmemctl server disconnect --client a
wait_for 60 live s
wait_for 20 nothing_held
farmemctl volume create v5 --size 16M --session s
farmemctl volume delete v5
all_off
