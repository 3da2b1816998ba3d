# SPDX-License-Identifier: GPL-2.0
# TEST: `farmemctl server stop` ends a farmemd that has lent memory only with --force or a pool file
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M reconnect_delay=0
put_data
! said=$(on-memory-node farmemctl server stop 2>&1) || die "it stopped: $said"
expect_text "1 volumes, 32M, would be lost: there is no pool file" "$said" "the refusal"
check_data
on-memory-node farmemctl server stop --force
wait_for 30 farmemd_gone
wait_for 30 failed
unload

serve --pool /dev/shm/farmem.pool
load_volume 32M
put_data
on-memory-node farmemctl server stop
wait_for 30 farmemd_gone
serve --pool /dev/shm/farmem.pool
wait_for 60 live
check_data
unload
on-memory-node farmemctl server stop
wait_for 30 farmemd_gone
on-memory-node rm /dev/shm/farmem.pool
