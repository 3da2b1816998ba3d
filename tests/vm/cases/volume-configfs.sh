# SPDX-License-Identifier: GPL-2.0
# TEST: sessions and volumes come and go one by one through configfs while others work
# SHORT: yes
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
make_session s client=tester
power_on sessions/s
for i in 0 1 2; do
	make_volume "v$i" session=s size=4M
	power_on "volumes/v$i"
	expect_equal "farmem$i" "$(value "volumes/v$i" device)" "disk of v$i"
	farmem-pages "/dev/farmem$i" write=0,1024,$((i + 1))
done
expect_fail rmdir "$CONFIG/volumes/v1"
expect_fail rmdir "$CONFIG/sessions/s"
! set_value sessions/s power 0 >/tmp/out || die "a session went off under its volumes"
power_off volumes/v1
[[ ! -e /dev/farmem1 ]] || die "v1 is off and its disk is there"
farmem-pages /dev/farmem0 check=0,1024,1
farmem-pages /dev/farmem2 check=0,1024,3
rmdir "$CONFIG/volumes/v1"
# The number is free again, the data still there.
make_volume v1 session=s size=4M
power_on volumes/v1
expect_equal farmem1 "$(value volumes/v1 device)" "disk of v1"
farmem-pages /dev/farmem1 check=0,1024,2
for i in 2 0 1; do
	power_off "volumes/v$i"
	rmdir "$CONFIG/volumes/v$i"
done
power_off sessions/s
rmdir "$CONFIG/sessions/s"
unload
