# SPDX-License-Identifier: GPL-2.0
# TEST: the link is cut for a second, three times: no error, every byte is what was last acknowledged
# LONG: yes
# NODES: 2
# TIMEOUT: 300
. "$FARMEM_TESTS/vm/cases.sh"

serve
load_volume 32M io_deadline=-1
verify_start
for _ in {1..3}; do
	unplug
	sleep 1
	plug_in
	verify_more 120
done
verify_end
expect_idle
unload
