# SPDX-License-Identifier: GPL-2.0
# TEST: several sessions and volumes are created, configured, powered on and off, and destroyed through configfs
# CPUS: 1
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
make_session far
make_session near server=local
make_volume a session=far size=16M
make_volume b session=far size=8M
make_volume c session=near size=4M
power_on sessions/far
power_on sessions/near
for v in a b c; do
	power_on volumes/$v
	expect_equal live "$(value volumes/$v state)" "state of $v"
done
expect_equal '2 1' "$(value sessions/far volumes) $(value sessions/near volumes)" "volumes of the sessions"
expect_equal $((16 << 20)) "$(value volumes/a size)" "size of a"
for v in a b c; do
	disk=$(value volumes/$v device)
	expect_equal "$v" "$(counter volume "$disk")" "volume of $disk"
	head -c 2M /dev/urandom >/tmp/data.$v
	dd if=/tmp/data.$v of="/dev/$disk" bs=64k oflag=direct status=none
done
# Off and on: the disks go and come, the data stays.
for v in a b c; do
	power_off volumes/$v
	expect_equal off "$(value volumes/$v state)" "state of $v"
	expect_equal '' "$(value volumes/$v device)" "device of $v"
done
! compgen -G '/dev/farmem*' || die "a disk is still there"
power_off sessions/far
power_on sessions/far
for v in c b a; do
	power_on volumes/$v
	cmp -n 2097152 "/dev/$(value volumes/$v device)" /tmp/data.$v
done
# Writing what is so already is no error.
power_on volumes/a
power_on sessions/far
for v in a b c; do power_off volumes/$v; done
power_off volumes/a
power_off sessions/far
power_off sessions/near
rmdir $CONFIG/volumes/{a,b,c} $CONFIG/sessions/{far,near}
unload
