# SPDX-License-Identifier: GPL-2.0
# TEST: whichever allocation of a mkdir or rmdir in configfs fails, it says ENOMEM or does its work
# KERNELS: 6.1-debug
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

load
for object in sessions/s{,ession-of-a-long-name} volumes/v{,olume-of-a-long-name}; do
	fail_nth mkdir "$CONFIG/$object" -- rmdir "$CONFIG/$object"
	mkdir "$CONFIG/$object"
	fail_nth rmdir "$CONFIG/$object" -- mkdir "$CONFIG/$object"
	rmdir "$CONFIG/$object"
done
make_session s server=local
make_volume v session=s size=1M
fail_nth write $CONFIG/sessions/s/power 1 -- write $CONFIG/sessions/s/power 0
power_on sessions/s
fail_nth write $CONFIG/volumes/v/power 1 -- write $CONFIG/volumes/v/power 0
power_on volumes/v
all_off
