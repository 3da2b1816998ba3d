# SPDX-License-Identifier: GPL-2.0
# TEST: a lease goes on when farmemd is started again on its pool: a client that does not come back loses its memory
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/farmem.pool

farmemd_said() { farmemd_log | grep -F -- "$1"; }
lent() { farmemctl server show --json | jq '.server[0].lent'; }
nothing_lent() { [[ $(lent) == 0 ]]; }

serve --pool $pool --lease 5
peer -n node "$FARMEM_SERVER" 7471 connect hello open=1,16777216 gone=60000
peer_said 20 'grant '
stop_farmemd KILL
end_process "$peer_pid"
serve --pool $pool --lease 5
wait_for 30 farmemd_said 'silent for 5 s, its lease: its volumes are released'
wait_for 20 nothing_lent
