# SPDX-License-Identifier: GPL-2.0
# TEST: what the module parameters made is in configfs, can be powered off and on there, and goes with rmmod alone
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M queues=3 client=worker
put_data
expect_equal "$SERVER worker 3 $CONNECT_TIMEOUT live" "$(cd $CONFIG/sessions/default &&
	cat server client queues connect_timeout state | xargs)" "settings of the session"
expect_equal 'default farmem0 live' "$(cd $CONFIG/volumes/default && cat session device state | xargs)" \
	"settings of the volume"
for object in volumes sessions; do
	expect_text 'Operation not permitted' "$(expect_fail rmdir $CONFIG/$object/default 2>&1)" "rmdir of $object/default"
done
power_off volumes/default
power_off sessions/default
power_on sessions/default
power_on volumes/default
check_data
# A second volume on the same session keeps the module.
make_volume more session=default size=16M
power_on volumes/more
expect_text 'is in use' "$(expect_fail rmmod farmem 2>&1)" "rmmod"
power_off volumes/more
rmdir $CONFIG/volumes/more
unload
