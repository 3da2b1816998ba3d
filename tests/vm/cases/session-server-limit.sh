# SPDX-License-Identifier: GPL-2.0
# TEST: a server that grants fewer queues (--max-queues) makes the client share them, with a notice
. "$FARMEM_TESTS/vm/cases.sh"

for limit in 1 3; do
	serve --max-queues "$limit"
	mark_dmesg
	load_volume 32M
	expect_log "$SERVER: the server grants $limit of 6 queues; CPUs share them"
	expect_no_log 'more queues than the server granted'
	expect_equal "$limit" "$(value sessions/default queue_count)" "queue_count"
	put_data
	check_data
	unload
	stop_farmemd
done
