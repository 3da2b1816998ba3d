# SPDX-License-Identifier: GPL-2.0
# TEST: a group's device is there again after a stop and after crashes of the node, with all bytes, and never with a chunk that lacks some: servers are away, late, empty, and lost before the crash
# LONG: yes
# TIMEOUT: 900
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

RACK=2 RACK_SIZE=192M
device=/dev/far/volume
modprobe -a raid1 dm-mod
load reconnect_max=2
mkdir -p /dev/shm/rack
serve_rack() { rack_serve "$1" --pool "/dev/shm/rack/$1"; }

# New bytes, all over the device, and on the servers.
put() {
	head -c 48M /dev/urandom >/dev/shm/bytes
	dd if=/dev/shm/bytes of="$device" bs=1M oflag=direct conv=fsync status=none
}
expect_bytes() {
	dd if="$device" bs=1M count=48 iflag=direct status=none | cmp - /dev/shm/bytes ||
		die "$1: the bytes are not those that were written last"
}
repaired() {
	farmemctl group repair far
	group_is far live || die "$1: the group is $(group_state far)"
	expect_bytes "$1, repaired"
}

serve_rack 1
serve_rack 2
group_make far 64M --chunk 32M --copies 2
put
farmemctl group stop far
group_is far off || die "the group is $(group_state far) after it was stopped"
farmemctl group start far
group_is far live || die "the group is $(group_state far)"
expect_bytes "after a stop"

put
group_crash far
group_is far off || die "the group is $(group_state far) after the crash"
serve_rack 1
serve_rack 2
farmemctl group start far
expect_bytes "after a crash"
repaired "after a crash"

# Server 1 misses bytes, and is alone when the node comes back.
rack_kill 1
put
wait_for 60 group_is far degraded
group_crash far
serve_rack 1
expect_fail farmemctl group start far --timeout 2
serve_rack 2
farmemctl group start far
expect_bytes "when the one that was thrown out is back as well"
group_is far degraded || die "the group is $(group_state far): a chunk that lacks bytes is in use"
repaired "with both"

# After a stop both have the same: one is enough, and the other one is old from then on.
farmemctl group stop far
rack_kill 2
farmemctl group start far --timeout 1
expect_bytes "with one of two that were stopped"
put
group_crash far
serve_rack 2
expect_fail farmemctl group start far --timeout 2
serve_rack 1
farmemctl group start far
expect_bytes "when the one that went on is back"
repaired "with one after a stop"

# The one that went on knows that it did.
rack_kill 1
put
wait_for 60 group_is far degraded
group_crash far
serve_rack 2
farmemctl group start far --timeout 600
expect_bytes "with the one that went on before the crash"
serve_rack 1
repaired "with the one that went on"

# It is late: the start waits.
group_crash far
serve_rack 1
{ sleep 3; serve_rack 2; } &
late=$!
farmemctl group start far --timeout 600
wait $late
expect_bytes "with a server that was late"
repaired "with a server that was late"

# By force without the one that went on: when that comes back, its bytes are not those of the pair.
rack_kill 1
cp /dev/shm/bytes /dev/shm/older
put
wait_for 60 group_is far degraded
group_crash far
serve_rack 1
farmemctl group start far --timeout 1 --force
mv /dev/shm/older /dev/shm/bytes
expect_bytes "with the older one, by force"
before=$(farmemctl group chunks far --noheadings --output volume | sort)
serve_rack 2
repaired "by force"
[[ $before != "$(farmemctl group chunks far --noheadings --output volume | sort)" ]] ||
	die "a chunk that went on without the pair was taken back"

# What came back empty is never read, and nothing tells whether the other one has all.
group_crash far
rm -f /dev/shm/rack/2*
serve_rack 1
serve_rack 2
expect_fail farmemctl group start far --timeout 2
farmemctl group start far --timeout 2 --force
expect_bytes "when a server came back empty"
repaired "when a server came back empty"
farmemctl group stop far
farmemctl group delete far
rack_gone
unload
pkill -KILL -f "/run/rack"
rm -rf /dev/shm/rack
