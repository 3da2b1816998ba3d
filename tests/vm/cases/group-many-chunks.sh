# SPDX-License-Identifier: GPL-2.0
# TEST: a group of 64 chunks in 32 pairs over four servers under the verifier: a connection for each server, not for each chunk; a server is lost and all its copies are made anew; nothing is left
# KERNELS: 6.1 6.12
# LONG: yes
# TIMEOUT: 1800
# MEMORY: 5G
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

modprobe -a raid1 dm-mod
load
RACK_SIZE=512M
for n in 1 2 3 4; do
	rack_serve "$n"
done
chunks() { farmemctl group chunks far --noheadings --output server,state; }
live() { [[ $(chunks | awk '$2 == "live"' | wc -l) == 64 ]]; }

began=$SECONDS
group_make far 512M --chunk 16M --copies 2
echo "64 chunks were made in $((SECONDS - began)) s"
live || die "chunks: $(chunks)"
group_apart far
# Even: 16 on each.
expect_equal 4 "$(chunks | awk '{ n[$1]++ } END { for (server in n) print n[server] }' | grep -cx 16)" "servers with 16 chunks"
expect_equal 4 "$(find "$CONFIG/sessions" -mindepth 1 -maxdepth 1 | wc -l)" "sessions"
queues=$(farmemctl session list --noheadings --output queue_count | sort -u | xargs)
echo "each session has $queues queues"
expect_equal $((512 << 20)) "$(blockdev --getsize64 /dev/far/volume)" "bytes of the device"

VERIFY_DISK=/dev/far/volume
verify_start
verify_more
rack_kill 3
wait_for 60 group_is far degraded
verify_more
farmemctl group repair far
wait_for 300 live
group_has_left far 3
group_apart far
verify_more
verify_end
[[ $(group_state far) == live ]] || die "the group is $(group_state far)"
farmemctl group delete far
rack_gone
unload
pkill -KILL -f "/run/rack"
