# SPDX-License-Identifier: GPL-2.0
# TEST: takeover=1 fences the first client: its I/O fails, none of its writes lands later, its data is found
. "$FARMEM_TESTS/vm/cases.sh"

uuid=76543210-89ab-4def-8123-456789abcdef

serve --listen "$FARMEM_SERVER:7472"
load_volume 32M client=twin reconnect_delay=0 uuid=$uuid
put_data
# Writes all over what follows the data, for as long as it may.
fio_start --offset=2M --size=2M --rw=randwrite --iodepth=32
# As another node.
set_fault fail_know_own 1
make_session second server="$FARMEM_SERVER:7472" client=twin takeover=1
make_volume its session=second size=32M uuid=$uuid
power_on sessions/second
power_on volumes/its
disk=$(value volumes/its device)
check_data "$disk"
dd if=/tmp/data of="/dev/$disk" bs=64k seek=32 oflag=direct status=none

wait_for 20 failed
fio_fails
expect_fail dd if=/dev/zero of=/dev/farmem0 bs=4k count=1 oflag=direct status=none
check_data "$disk"
cmp -n 2097152 <(dd if="/dev/$disk" bs=64k skip=32 count=32 iflag=direct status=none) /tmp/data ||
	die "a write of the first one landed after its end"
expect_text 'the server closed the connection' "$(value sessions/default reason)" "reason of the first"
power_off volumes/its
power_off sessions/second
rmdir $CONFIG/volumes/its $CONFIG/sessions/second
unload
