# SPDX-License-Identifier: GPL-2.0
# TEST: two volumes on one session hold their own contents, used at once, also after a reload
. "$FARMEM_TESTS/vm/cases.sh"

both_on() {
	load
	make_session s client=tester
	make_volume one session=s size=16M
	make_volume two session=s size=16M
	power_on sessions/s
	power_on volumes/one
	power_on volumes/two
	one=/dev/$(value volumes/one device)
	two=/dev/$(value volumes/two device)
}

serve
both_on
expect_equal 2 "$(value sessions/s volumes)" "volumes of the session"
farmem-pages "$one" write=0,4096,1 &
farmem-pages "$two" write=0,4096,2
wait $!
farmem-pages "$one" check=0,4096,1 absent=2
farmem-pages "$two" check=0,4096,2 absent=1
blkdiscard -f -o 0 -l 1M "$one"
farmem-pages "$two" check=0,4096,2
all_off
both_on
farmem-pages "$one" zeros=0,256 check=256,3840,1
farmem-pages "$two" check=0,4096,2
all_off
