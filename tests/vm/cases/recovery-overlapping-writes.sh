# SPDX-License-Identifier: GPL-2.0
# TEST: writes that overlap, and wait while the server loses its memory, leave no page of theirs to be lost for the next life of the client
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

uuid=76543210-89ab-4def-8123-456789abcdef

on_the_way() { (($(counter inflight) == 2)); }
parked() { (($(counter parked) == 2)); }
fenced() { [[ $(dmesg_since) == *"no connection yet"* ]]; }

serve --listen "$FARMEM_SERVER:7472"
load_volume 32M client=twin uuid=$uuid io_deadline=-1
# They get there, or not: nobody looks, and then the queues are gone.
set_fault delay_ms 100000
set_fault delay_completion 1
writers=()
farmem-pages /dev/farmem0 write=0,8,1 &
writers+=($!)
farmem-pages /dev/farmem0 write=4,8,1 &
writers+=($!)
wait_for 20 on_the_way
mark_dmesg
stop_farmemd KILL
wait_for 60 fenced
set_fault delay_completion 0
wait_for 20 parked
serve --listen "$FARMEM_SERVER:7472"
wait_for 60 live
for writer in "${writers[@]}"; do
	wait "$writer" || die "a write that waited failed"
done
farmem-pages /dev/farmem0 check=0,12,1 lost=12,10

# The next life of this client; the first says nothing any more.
# As another node.
set_fault fail_know_own 1
make_session second server="$FARMEM_SERVER:7472" client=twin takeover=1
make_volume its session=second size=32M uuid=$uuid
power_on sessions/second
power_on volumes/its
disk=/dev/$(value volumes/its device)
farmem-pages "$disk" check=0,12,1 lost=12,10
power_off volumes/its
power_off sessions/second
rmdir "$CONFIG/volumes/its" "$CONFIG/sessions/second"
unload
