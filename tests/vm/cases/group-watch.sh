# SPDX-License-Identifier: GPL-2.0
# TEST: farmemctl group watch repairs a group under the verifier: a server is back in time with its memory, one dies for good, and one dies when no other is left, until it is back
# LONG: yes
# TIMEOUT: 900
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

RACK=3 RACK_SIZE=192M
modprobe -a raid1 dm-mod
load reconnect_max=2
mkdir -p /dev/shm/rack
for n in 1 2 3; do
	rack_serve "$n" --pool "/dev/shm/rack/$n"
done
group_make far 64M --chunk 32M --copies 2
VERIFY_DISK=/dev/far/volume
verify_start
farmemctl group watch --delay 15 >/tmp/watch.log 2>&1 &
watcher=$!
# said N LINE - the watcher has said so that often
said() { [[ $(grep -c "$2" /tmp/watch.log) == "$1" ]]; }
volumes() { farmemctl group chunks far --noheadings --output volume | sort | paste -sd' '; }

before=$(volumes)
rack_kill 1
# A session that is away for less than the watcher's look is none of its business.
wait_for 60 said 1 "needs a repair"
rack_serve 1 --pool /dev/shm/rack/1
wait_for 240 said 1 "far: live$"
expect_equal "$before" "$(volumes)" "volumes, the server was back in time"
verify_more

rack_kill 2
wait_for 60 group_is far degraded
wait_for 240 said 2 "far: live"
[[ $(farmemctl group chunks far --noheadings --output server) != *"$(rack_address 2)"* ]] ||
	die "a chunk is left on the server that died"
group_apart far
verify_more

rack_kill 3
wait_for 60 group_is far degraded
wait_for 240 grep -q "no server can take a chunk" /tmp/watch.log
verify_more
rack_serve 2 --pool /dev/shm/rack/2
wait_for 240 said 3 "far: live"
group_is far live || die "the group is $(group_state far)"
group_apart far
verify_end
cat /tmp/watch.log
farmemctl group delete far
wait $watcher
rack_serve 3 --pool /dev/shm/rack/3
rack_gone
unload
pkill -KILL -f "/run/rack"
rm -rf /dev/shm/rack
