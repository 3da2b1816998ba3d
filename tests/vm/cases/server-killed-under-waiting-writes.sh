# SPDX-License-Identifier: GPL-2.0
# TEST: the server killed (SIGKILL) while writes wait to be posted: they fail, those that wait for room as well
# DEBUG: yes
# PARALLEL: yes
. "$FARMEM_TESTS/vm/cases.sh"

# write_page CPU PAGE
write_page() {
	taskset -c "$1" farmem-pages /dev/farmem0 write="$2",1,2 2>"/tmp/writer.$2" &
	writers+=($!)
}

accepted() { (($(counter inflight) == 1)); }
throttled() { grep -q farmem_throttle_wait "/proc/${writers[1]}/stack"; }

serve
load_volume 16M reconnect_delay=0
farmem-pages /dev/farmem0 write=0,2,1
set_fault fail_post 1
write_page 0 0
wait_for 20 accepted
write_page 0 1
wait_for 20 throttled
stop_farmemd KILL
for writer in "${writers[@]}"; do
	! wait "$writer" || die "a write that was never posted succeeded"
done
expect_equal 0 "$(counter inflight)" "I/O in flight"
in_time 20 unload
