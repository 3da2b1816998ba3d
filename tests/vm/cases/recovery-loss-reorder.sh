# SPDX-License-Identifier: GPL-2.0
# TEST: a network that loses, delays, doubles and reorders packets both ways: no error, every byte is what was last acknowledged
# LONG: yes
# NODES: 2
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/cases.sh"

serve
plug_in
load_volume 32M io_deadline=-1
verify_start
# Not with most packets out of order ("delay 10ms 5ms"): each is answered by a NAK and
# the whole rest sent again, so that soft-RoCE gets no WRITE of several packets through.
for rules in 'loss 3%' 'delay 5ms reorder 25% 50%' 'delay 10ms loss 1% duplicate 2%'; do
	# shellcheck disable=SC2086 # words
	wire $rules limit 10000
	for _ in {1..3}; do
		verify_more 120
	done
	plug_in
	echo "$rules: $(verify_done)"
done
wait_for 120 live
verify_more
verify_end
expect_idle
unload
