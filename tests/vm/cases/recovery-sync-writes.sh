# SPDX-License-Identifier: GPL-2.0
# TEST: on a synchronous volume writes fail at once while the session recovers, so that swap keeps its pages
# CPUS: 1
# KERNELS: 6.12 newest
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M sync=1 io_deadline=-1
stop_farmemd KILL
wait_for 20 recovering
expect_fail within 20 dd if=/dev/zero of=/dev/farmem0 bs=4k count=1 oflag=direct status=none
expect_equal 0 "$(counter parked)" "I/O parked"
in_time 20 unload
