# SPDX-License-Identifier: GPL-2.0
# TEST: releasing a volume frees its memory on the server when its queues are gone, closing one does not
. "$FARMEM_TESTS/vm/cases.sh"

free() {
	on-memory-node farmemctl server show --json | jq ".server[0].free"
}

is_free() {
	[[ $(free) == "$1" ]]
}

serve
all=$(free)
expect_equal $((64 << 20)) "$all" "free bytes of a fresh server"
load
make_session s client=tester
power_on sessions/s
for name in kept released; do
	make_volume $name session=s size=16M
	power_on volumes/$name
done
expect_equal $((all - (32 << 20))) "$(free)" "free bytes with two volumes"
power_off volumes/kept
expect_equal $((all - (32 << 20))) "$(free)" "free bytes when one is closed"
echo 1 >"$CONFIG/volumes/released/release"
expect_equal 0 "$(value volumes/released power)" "power of the released volume"
# A WRITE may still be under way to it until the session's queues are gone.
power_off sessions/s
wait_for 20 is_free $((all - (16 << 20))) || die "free bytes: $(free)"
# And it is another volume that comes next under this name.
power_on sessions/s
power_on volumes/kept
power_on volumes/released
expect_equal $((all - (32 << 20))) "$(free)" "free bytes with both again"
all_off
