# SPDX-License-Identifier: GPL-2.0
# TEST: without free memory a volume whose I/O waits for the server's room leaves the session's other volume its requests, and the session its heartbeats
# LONG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/away.sh"

out_of_requests() { grep -q mempool_alloc "/proc/$writer"/task/*/stack; }
kept() { (($(counter parked "$big"))); }

begin_with_two
# All requests that the big volume may count on are under way, and one more write waits.
set_fault fail_request 1
set_fault delay_completion 1
fio --name=fill --filename="/dev/$big" --rw=write --bs=4k --size=1M --direct=1 \
	--ioengine=libaio --iodepth=256 --thread --output=/tmp/fio &
writer=$!
wait_for 20 out_of_requests
stop_farmemd KILL
wait_for 20 recovering s
# What the server did before it died shall not end well now.
wait_for 20 kept
set_fault delay_completion 0
small_server
wait_for 60 live s
wait_for 10 away

within 60 farmem-pages "/dev/$small" write=0,100,3
within 60 farmem-pages "/dev/$small" check=0,100,3

# The server dies while nothing is under way: heartbeats alone find that.
stop_farmemd KILL
wait_for 60 recovering s
small_server
wait_for 60 live s

set_fault fail_request 0
give_room
wait_for 60 back
wait "$writer" || die "writes that waited failed: $(</tmp/fio)"
farmem-pages "/dev/$small" check=0,100,3
end_with_two
