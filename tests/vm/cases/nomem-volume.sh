# SPDX-License-Identifier: GPL-2.0
# TEST: whichever allocation of a volume's power on or off fails, it says so or does its work, and nothing is lost
# KERNELS: 6.1-debug
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
make_session s queues=1
power_on sessions/s
make_volume v session=s size=16M
power_on volumes/v
put_data
power_off volumes/v
# EINVAL is what the driver core says of a name without memory.
fail_nth --errors ENOMEM,EINVAL --reasons $CONFIG/volumes/v/reason write $CONFIG/volumes/v/power 1 -- write $CONFIG/volumes/v/power 0
power_on volumes/v
check_data
# Only configfs fails, which needs a page for what is written: power off does not.
off=$(fail_nth write $CONFIG/volumes/v/power 0 -- write $CONFIG/volumes/v/power 1)
expect_text ', 1 failed' "$off" "power off"
power_on volumes/v
check_data
all_off
