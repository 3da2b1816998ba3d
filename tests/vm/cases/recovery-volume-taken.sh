# SPDX-License-Identifier: GPL-2.0
# TEST: a client whose volume another one of its name has used meanwhile finds it lost, and writes nothing into it
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

uuid=76543210-89ab-4def-8123-456789abcdef
stale="the server no longer has this volume's data (it was released there, the server restarted without its pool, or another client of this name has used it since); delete the volume and create it anew"

parked() { (($(counter parked) == 1)); }

serve --listen "$FARMEM_SERVER:7472"
load_volume 32M client=twin uuid=$uuid io_deadline=-1
put_data
# As another node.
set_fault fail_know_own 1
make_session second server="$FARMEM_SERVER:7472" client=twin takeover=1
make_volume its session=second size=32M uuid=$uuid
power_on sessions/second
wait_for 20 recovering
fio --name=late --filename=/dev/farmem0 --direct=1 --rw=write --bs=4k --size=4k --ioengine=libaio \
	>/tmp/write.log 2>&1 &
writer=$!
wait_for 20 parked
power_on volumes/its
check_data "$(value volumes/its device)"
power_off volumes/its
power_off sessions/second

wait_for 60 live
! wait "$writer" || die "a write went into a volume that another one has used"
expect_equal lost "$(value volumes/default state)" "state of the volume"
expect_equal "$stale" "$(value volumes/default reason)" "reason of the volume"
rmdir $CONFIG/volumes/its $CONFIG/sessions/second
unload
load_volume 32M client=twin uuid=$uuid
check_data
unload
