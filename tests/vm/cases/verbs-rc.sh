# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: over RC every operation brings every byte, set up by hand and by rdma_cm
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
for setup in hand cm; do
	for op in send write write-imm read cas fadd; do
		verbs --setup $setup --op $op
	done
done
