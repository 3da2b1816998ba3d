# SPDX-License-Identifier: GPL-2.0
# TEST: memory that one client filled and gave back is lent again only once it is gone, and as zeros, all of it
# CPUS: 1
. "$FARMEM_TESTS/vm/cases.sh"

load
serve
# Nothing tells the server what is under way.
make_session a client=a heartbeat=0
make_session b client=b
make_volume of_a session=a size=64M
make_volume of_b session=b size=64M
power_on sessions/a
power_on sessions/b
power_on volumes/of_a
head -c 64M /dev/zero | tr '\0' '\377' | dd of=/dev/farmem0 bs=1M count=64 iflag=fullblock oflag=direct status=none
expect_refusal 'too little free memory' volumes/of_b
echo 1 >$CONFIG/volumes/of_a/release
# As long as a is connected its adapter may still write there.
expect_refusal '64M given back and not free yet' volumes/of_b
power_off sessions/a
free() { farmemctl server show --json | jq -e '.server[0].free == 67108864'; }
wait_for 20 free
power_on volumes/of_b
zeros /dev/farmem0 67108864 || die "another client's bytes are readable"
expect_equal 0 "$(counter zero_pages)" "pages that read as zeros without being looked at"
all_off
