# SPDX-License-Identifier: GPL-2.0
# TEST: under the verifier a group's server dies and comes back with its memory, without it, and not at all: repair takes its chunks back or makes new ones, apart from their copies; ended commands are gone on with
# LONG: yes
# TIMEOUT: 900
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

# What a chunk gave back is lent again only after its session.
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

# It is back with its memory: the same chunks go on.
before=$(farmemctl group chunks far --noheadings --output volume | sort)
rack_kill 1
wait_for 60 group_is far degraded
verify_more
rack_serve 1 --pool /dev/shm/rack/1
wait_for 60 live "$(rack_address 1)"
farmemctl group repair far
group_is far live || die "the group is $(group_state far)"
expect_equal "$before" "$(farmemctl group chunks far --noheadings --output volume | sort)" "volumes"
verify_more

# It is back without: it gets new ones.
rack_kill 2
wait_for 60 group_is far degraded
verify_more
rm -f /dev/shm/rack/2*
rack_serve 2 --pool /dev/shm/rack/2
# As an mdadm leaves them that is killed while it adds a disk.
for action in /sys/block/md*/md/sync_action; do
	echo frozen >"$action"
done
farmemctl group repair far
group_is far live || die "the group is $(group_state far)"
group_apart far
verify_more

# It does not come back: the others take its chunks, if they may.
rack_kill 3
wait_for 60 group_is far degraded
verify_more
farmemctl group repair far
group_is far live || die "the group is $(group_state far)"
group_apart far
[[ $(farmemctl group chunks far --noheadings --output server) != *"$(rack_address 3)"* ]] ||
	die "a chunk is left on the server that died"
verify_more

# No server is left that may have a copy.
rack_kill 2
wait_for 60 group_is far degraded
expect_fail farmemctl group repair far
verify_more
rack_serve 3 --pool /dev/shm/rack/3
farmemctl group repair far
group_is far live || die "the group is $(group_state far)"
group_apart far
verify_end
farmemctl group delete far
rack_gone
unload
pkill -KILL -f "/run/rack"
rm -rf /dev/shm/rack
