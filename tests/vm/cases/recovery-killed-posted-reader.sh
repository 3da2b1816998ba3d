# SPDX-License-Identifier: GPL-2.0
# TEST: a process that waits for a read that was posted before the session failed can be killed, too
# DEBUG: yes
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

parked() { (($(counter parked) == 1)); }
asleep() { recovering && parked && [[ $(</proc/"$reader"/stat) == *' D '* ]]; }
gone() { ! kill -0 "$reader" 2>/dev/null; }

serve
load_volume 32M io_deadline=-1
put_data
set_fault fail_post_hard 1
dd if=/dev/farmem0 of=/dev/null bs=4k count=1 iflag=direct status=none &
reader=$!
wait_for 20 recovering
stop_farmemd KILL
wait_for 20 asleep
grep -q farmem_park_wait "/proc/$reader/stack" && die "the read was never posted"
set_fault fail_post_hard 0
kill -KILL "$reader"
wait_for 20 gone
expect_equal 0 "$(counter parked)" "I/O parked"
in_time 20 unload
