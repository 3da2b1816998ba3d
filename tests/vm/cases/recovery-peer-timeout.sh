# SPDX-License-Identifier: GPL-2.0
# TEST: peer_timeout is what the adapter is told: of two sessions over a link that is cut the patient one lives on when the other has long noticed
# NODES: 2
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

later() { (($(date +%s) >= $1)); }

serve
plug_in
load
for name in hasty patient; do
	timeout=60
	[[ $name == patient ]] || timeout=0.5
	make_session $name client=$name heartbeat=0 peer_timeout=$timeout
	make_volume $name session=$name size=16M io_deadline=-1
	power_on sessions/$name
	power_on volumes/$name
	put_data "$(value volumes/$name device)"
done
unplug
for name in hasty patient; do
	dd if="/dev/$(value volumes/$name device)" of=/dev/null bs=4k count=1 iflag=direct status=none &
done
wait_for 30 recovering hasty
wait_for 30 later $(($(date +%s) + 6))
expect_equal live "$(value sessions/patient state)" "state of the session with peer_timeout=60"
plug_in
for name in hasty patient; do
	wait_for 90 live $name
	check_data "$(value volumes/$name device)"
done
wait
all_off
