# SPDX-License-Identifier: GPL-2.0
# TEST: a client with its key is let in on all its queues, its data moves, and the key shows up nowhere
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

all_queues() { (($(value sessions/default queue_count) == 3 * $(nproc))); }

put_server_keys /tmp/server.keys "other $KEY_B" "alpha $KEY_A"
# An editor's byte order mark is no part of a name.
put_keys /tmp/client.keys $'\xef\xbb\xbf'"alpha $KEY_A"
serve --keys /tmp/server.keys
load_volume 32M client=alpha key=/tmp/client.keys
put_data
check_data
wait_for 30 all_queues || die "$(value sessions/default queue_count) queues"
expect_text '(alpha): session live, its key is proved' "$(farmemd_log)" "farmemd's log"
expect_equal /tmp/client.keys "$(value sessions/default key)" "key"
expect_no_log "$KEY_A"
! grep -rslF "$KEY_A" $CONFIG /sys/module/farmem /sys/block/farmem0/ || die "the key can be read there"
[[ $(farmemd_log) != *"$KEY_A"* ]] || die "farmemd has logged the key"
unload
