# SPDX-License-Identifier: GPL-2.0
# TEST: connection requests from where nobody is do not hold up the control socket, nor clients that are there
# LONG: yes
# NODES: 2
. "$FARMEM_TESTS/vm/cases.sh"

strangers=16
address=${FARMEM_SERVER%.*}
# Each looks for its peer for a second, one after the other.
refused() {
	farmemd_log | grep -c 'refused: .*Connection timed out' || true
}
one_is_over() { (($(refused) > 0)); }

serve
bystander
farmem-stranger "$(ip -4 -o addr show "$FARMEM_NETDEV" | sed -nE 's/.* inet ([0-9.]+).*/\1/p')" \
	"$FARMEM_SERVER" 7471 "$address.77" "$address.100" $strangers
wait_for 30 one_is_over
began=${EPOCHREALTIME/[.,]/}
answers=$((10 / FARMEM_SLOWNESS))
on-memory-node bash -c "for i in {1..$answers}; do farmemctl server list >/dev/null || exit; done"
over=$(refused)
echo "$answers answers in $(((${EPOCHREALTIME/[.,]/} - began) / 1000)) ms, $over strangers over"
((over < strangers * 3 / 4)) || die "$over strangers were over before the control socket had answered"
undisturbed
leave_undisturbed
