# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: a memory window of type 2 lets in what it was bound for, and nothing once it is closed
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
for op in write read write-imm; do
	verbs --mw --op $op --queues 2
done
verbs --mw --setup cm
shows "a WRITE through a memory window that was closed" IBV_WC_REM_ACCESS_ERR window
