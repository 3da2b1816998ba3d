# SPDX-License-Identifier: GPL-2.0
# TEST: queues= is a cap: fewer than usual are honoured, odd ones too, and more than three a CPU are not made
. "$FARMEM_TESTS/vm/cases.sh"

serve
load
make_session s
make_volume v session=s size=32M
most=$((3 * $(nproc)))
queues() { [[ $(value sessions/s queue_count) == "$1" ]]; }
for cap in 0:$most 1:1 2:2 3:3 4:4 5:5 $most:$most 1000:$most; do
	echo "${cap%:*}" >$CONFIG/sessions/s/queues
	power_on sessions/s
	power_on volumes/v
	wait_for 30 queues "${cap#*:}" ||
		die "queue_count with queues=${cap%:*} is $(value sessions/s queue_count), not ${cap#*:}"
	put_data
	check_data
	power_off volumes/v
	power_off sessions/s
done
all_off
