# SPDX-License-Identifier: GPL-2.0
# TEST: farmemctl group makes one device over four servers, copies apart, grows it under the verifier, is refused while it is in use, for want of room and for a server that is away, and deletes it: nothing is left
# LONG: yes
# TIMEOUT: 600
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"
. "$FARMEM_TESTS/vm/rack.sh"

modprobe -a raid1 dm-mod
load
for n in 1 2 3 4; do
	rack_serve "$n"
done

# Whatever is refused leaves nothing.
expect_fail group_make far 4G --copies 2
rack_gone
expect_fail farmemctl group create far --size 64M --chunk 32M --copies 2 \
	--server "$(rack_address 1)" --server "$(rack_address 2)"
rack_gone

group_make far 96M --chunk 32M --copies 2
expect_equal $((96 << 20)) "$(blockdev --getsize64 /dev/far/volume)" "bytes of the device"
expect_equal 6 "$(farmemctl group chunks far --noheadings | wc -l)" "chunks"
expect_equal live "$(group_state far)" "state"
group_apart far
expect_fail group_make far 96M
VERIFY_DISK=/dev/far/volume
verify_start
farmemctl group grow far --size 160M
verify_more
expect_equal $((160 << 20)) "$(blockdev --getsize64 /dev/far/volume)" "bytes of the device that grew"
group_apart far
expect_fail farmemctl group delete far
verify_more
verify_end
farmemctl group scrub far
farmemctl group delete far
rack_gone

# Without copies it is just long.
group_make far 96M --chunk 32M
VERIFY_DISK=/dev/far/volume
verify_start
verify_end
farmemctl group delete far
rack_gone
unload
pkill -KILL -f "/run/rack"
