# SPDX-License-Identifier: GPL-2.0
# TEST: what is on cannot be changed or removed (EBUSY), and can when it is off again
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

busy='Device or resource busy'

load
make_session s server=local
make_volume v session=s size=2M
power_on sessions/s
power_on volumes/v
for setting in server=10.0.0.9 source=10.0.0.9 client=x queues=2 takeover=1 connect_timeout=3 power=0; do
	before=$(value sessions/s "${setting%=*}")
	expect_error "$busy" sessions/s "${setting%=*}" "${setting#*=}"
	expect_equal "$before" "$(value sessions/s "${setting%=*}")" "$setting"
done
for setting in session=x size=4M uuid=01234567-89ab-4def-8123-456789abcdef sync=1; do
	before=$(value volumes/v "${setting%=*}")
	expect_error "$busy" volumes/v "${setting%=*}" "${setting#*=}"
	expect_equal "$before" "$(value volumes/v "${setting%=*}")" "$setting"
done
expect_text "$busy" "$(expect_fail rmdir $CONFIG/volumes/v 2>&1)" "rmdir of the volume"
expect_text "$busy" "$(expect_fail rmdir $CONFIG/sessions/s 2>&1)" "rmdir of the session"
expect_text 'is in use' "$(expect_fail rmmod farmem 2>&1)" "rmmod"

# Open, it cannot even be powered off; the reason names the disk.
exec 3</dev/farmem0
expect_error "$busy" volumes/v power 0
expect_equal '/dev/farmem0 is in use (1 openers); swapoff or umount it first' \
	"$(value volumes/v reason)" "reason"
expect_error "$busy" volumes/v release 1
dd if=/dev/zero of=/dev/farmem0 bs=4k count=1 oflag=direct status=none
exec 3<&-
power_off volumes/v
echo 4M >$CONFIG/volumes/v/size
power_off sessions/s
echo 2 >$CONFIG/sessions/s/queues
rmdir $CONFIG/volumes/v $CONFIG/sessions/s
unload
