# SPDX-License-Identifier: GPL-2.0
# TEST: with peer_timeout=0.5 a link that is slow, busy and loses packets ends no session, and one that is cut does
# NODES: 2
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

ends() { dmesg_since | grep -cF 'live again after' || true; }

serve
plug_in
load_volume 32M io_deadline=-1 peer_timeout=0.5
expect_equal 0.5 "$(value sessions/default peer_timeout)" "peer_timeout"
verify_start
for rules in 'delay 20ms' 'delay 40ms loss 1%'; do
	# shellcheck disable=SC2086 # words
	wire $rules limit 10000
	for _ in {1..3}; do
		verify_more 120
	done
	plug_in
	echo "$rules: $(verify_done)"
done
expect_equal 0 "$(ends)" "ends of the session while the link was slow"
unplug
wait_for 30 recovering
plug_in
wait_for 90 live
verify_more
verify_end
expect_idle
unload
