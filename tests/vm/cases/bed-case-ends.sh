# SPDX-License-Identifier: GPL-2.0
# TEST: a case ends, though what it has started writes for ever, to a volume or to the case
# shellcheck disable=SC2016 # expanded there
. "$FARMEM_TESTS/vm/cases.sh"

# ends_with STATUS COMMANDS - of a case; 124 is not ended.
ends_with() {
	local status=0

	printf '%s\n' '. "$FARMEM_TESTS/vm/cases.sh"' "$2" >/tmp/inner.sh
	timeout -k 5 $((60 * FARMEM_SLOWNESS)) bash /tmp/inner.sh || status=$?
	expect_equal "$1" $status "status of: $2"
}

ends_with 0 'exec {reader}< <(exec yes); sleep 1000 &'

serve
load
make_session default
power_on sessions/default
make_volume v session=default size=16M io_deadline=-1
power_on volumes/v
stop_farmemd KILL
ends_with 1 '
	dd if=/dev/zero of="/dev/$(value volumes/v device)" bs=4096 oflag=direct &
	wait_for 60 grep " D " /proc/$!/stat
	false'
all_off
