# SPDX-License-Identifier: GPL-2.0
# TEST: farmem-verbs: each fault done on purpose ends with its status, or event, and its explanation
# KERNELS: 6.1 6.12 newest
. "$FARMEM_TESTS/vm/verbs.sh"

verbs_serve
shows "a WRITE with a key that is not the server's" IBV_WC_REM_ACCESS_ERR rkey
shows "a WRITE to an address beyond the server's memory" IBV_WC_REM_ACCESS_ERR bounds
shows "a SEND to a queue that has no receive posted" IBV_WC_RNR_RETRY_EXC_ERR rnr
shows "a WRITE to a queue pair that is gone" IBV_WC_RETRY_EXC_ERR retry --retry-count 2
shows "a connection that the server refuses" RDMA_CM_EVENT_REJECTED rejected --setup cm
for fault in rkey "rejected --setup cm"; do
	# shellcheck disable=SC2086 # options
	verbs_client --json --show $fault || die "--show $fault --json: $SAID"
	jq -e '.version == 1 and (.show | .number > 0 and (.kind, .name, .deed, .means, .causes, .check | length > 0))' \
		<<<"$SAID" >/dev/null || die "--show $fault --json: $SAID"
done
# Of these soft-RoCE has an opinion of its own.
shows "a SEND that is longer than the receive posted for it" IBV_WC_REM_OP_ERR length
# After 6.1 it flushes the very request that failed.
case $FARMEM_KERNEL in
6.1) lkey=IBV_WC_LOC_QP_OP_ERR ;;
*) lkey=IBV_WC_WR_FLUSH_ERR ;;
esac
shows "a WRITE from memory with a key that is not this process's" $lkey lkey
