# SPDX-License-Identifier: GPL-2.0
# TEST: memory that one client released reads as zeros when another gets it
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
for name in anna berta; do
	make_session "$name" client="$name"
	power_on "sessions/$name"
done
# All that the server has.
make_volume first session=anna size=64M
power_on volumes/first
farmem-pages "/dev/$(value volumes/first device)" write=0,16384,21
make_volume second session=berta size=64M
expect_refusal "too little free memory" volumes/second
echo 1 >"$CONFIG/volumes/first/release"
power_off sessions/anna
wait_for 20 set_value volumes/second power 1
disk=/dev/$(value volumes/second device)
farmem-pages "$disk" zeros=0,16384
# And no trick of bookkeeping: the bytes themselves are fetched.
expect_at_least $((64 << 20)) "$(counter read_bytes "${disk#/dev/}")" "bytes read"
expect_equal 0 "$(counter zero_reads "${disk#/dev/}")" "zero_reads"
all_off
