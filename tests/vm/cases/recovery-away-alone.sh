# SPDX-License-Identifier: GPL-2.0
# TEST: without free memory a volume whose I/O waits for the server's room leaves the session's other volume its requests, and the session its heartbeats
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

pool=/dev/shm/small.pool

out_of_requests() { grep -q mempool_alloc "/proc/$writer"/task/*/stack; }
away() { [[ $(value volumes/big reason) == *"the server's pool has too little free memory"* ]]; }
kept() { (($(counter parked "$big"))); }
back() { [[ $(value volumes/big state) == live ]]; }

# Without --pool the first server's memory is gone with it. The pool of the second is
# another client's already, but for what the small volume needs.
start_farmemd --size 48M --pool $pool --listen "$SERVER"
load
make_session other client=other
make_volume hoard session=other size=32M
power_on sessions/other
power_on volumes/hoard
power_off volumes/hoard
power_off sessions/other
rmdir $CONFIG/volumes/hoard $CONFIG/sessions/other
stop_farmemd
serve
make_session s client=tester
make_volume big session=s size=32M io_deadline=-1
make_volume small session=s size=16M io_deadline=-1
power_on sessions/s
power_on volumes/big
power_on volumes/small
big=$(value volumes/big device) small=$(value volumes/small device)

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
start_farmemd --size 48M --pool $pool --listen "$SERVER"
wait_for 60 live s
wait_for 10 away

within 60 farmem-pages "/dev/$small" write=0,100,3
within 60 farmem-pages "/dev/$small" check=0,100,3

# The server dies while nothing is under way: heartbeats alone find that.
stop_farmemd KILL
wait_for 60 recovering s
start_farmemd --size 48M --pool $pool --listen "$SERVER"
wait_for 60 live s

set_fault fail_request 0
within 60 farmemctl server release --client other
wait_for 60 back
wait "$writer" || die "writes that waited failed: $(</tmp/fio)"
farmem-pages "/dev/$small" check=0,100,3
all_off
stop_farmemd
rm $pool
