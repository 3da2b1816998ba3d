# SPDX-License-Identifier: GPL-2.0
# TEST: farmemd notices that a client which does nothing is gone, says what to check, keeps its memory for the lease, and not longer
# NODES: 2
# LONG: yes
. "$FARMEM_TESTS/vm/cases.sh"

farmemd_said() { farmemd_log | grep -F -- "$1"; }

serve --lease 5
plug_in
load_volume 32M io_deadline=0
unplug
wait_for 90 farmemd_said 'session closed: '
farmemd_said '(compute): session closed: the client does not answer' >/dev/null ||
	farmemd_said 'session closed: transport retry counter exceeded' >/dev/null ||
	die "that was not what ended the session: $(farmemd_log)"
farmemd_said "(compute): transport retry counter exceeded: check 'ping ADDR'" >/dev/null ||
	die "nothing says what to check: $(farmemd_log)"
wait_for 60 farmemd_said 'silent for 5 s, its lease: its volumes are released'
plug_in
in_time 60 unload
