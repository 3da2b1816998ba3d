# SPDX-License-Identifier: GPL-2.0
# TEST: whichever allocation of connecting a session fails, it says so or makes do with fewer queues, and the next attempt succeeds
# KERNELS: 6.1-debug
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
make_session s queues=2
# A neighbour or a route without memory says ENOBUFS, a socket ENFILE.
fail_nth --errors ENOMEM,ENOBUFS,ENFILE --reasons $CONFIG/sessions/s/reason write $CONFIG/sessions/s/power 1 -- write $CONFIG/sessions/s/power 0
power_on sessions/s
expect_equal 2 "$(value sessions/s queue_count)" "queues with memory for all"
make_volume v session=s size=16M
power_on volumes/v
put_data
check_data
all_off
