# SPDX-License-Identifier: GPL-2.0
# TEST: a node's own interface is down until its session is over, the compute node's, then the memory node's: I/O waits, and goes on when it is up, every byte there
# LONG: yes
# NODES: 2
# TIMEOUT: 400
. "$FARMEM_TESTS/vm/interface.sh"

serve
load_volume 32M io_deadline=-1
verify_start
before=$(connections)
for node in compute memory; do
	interface_down $node
	interface_up $node
	wait_for 120 live
	verify_more
	# farmemd keeps one id of the first session: device.h, @keeper.
	wait_for 30 as_many $((before + 1))
done
verify_end
expect_idle
unload
