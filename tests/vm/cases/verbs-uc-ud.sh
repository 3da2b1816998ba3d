# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: UC sends and writes, UD sends with address handles, every byte checked; what they cannot is refused with the reason
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
for op in send write write-imm; do
	verbs --transport uc --op $op
done
verbs --transport ud
verbs --transport ud --setup cm --queues 2
verbs --transport ud --wait event --srq --queues 2 --sge 2 --remote-sge 3
verbs_refused 2 "UD carries SEND alone" --transport ud --op write
verbs_refused 2 "UC is never answered" --transport uc --op read
verbs_refused 2 "has no port space for UC over IP addresses" --transport uc --setup cm
verbs_refused 3 "a datagram is one packet: 8192 bytes do not fit into the MTU of rxe0, 4096" \
	--transport ud --size 8192
