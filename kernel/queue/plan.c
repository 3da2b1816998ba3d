// SPDX-License-Identifier: GPL-2.0
/*
 * plan.c - how many queues are of which type, which vector each has, and what
 * a failure to get one means.  Called by queue-set.c and queue.c.
 */
#include <linux/kernel.h>
#include <rdma/ib_verbs.h>

#include "farmem-proto.h"
#include "plan.h"

/*
 * A third of the queues writes (a control message on queue 0 then delays no
 * read), a third reads, the last is polled; two: the second reads either way; a
 * single one does it all.  Where it does not go by three, more write, then more
 * are polled.
 */
void farmem_plan_range(unsigned int n, enum farmem_queue_type type,
		       unsigned int *first, unsigned int *count)
{
	unsigned int writes = DIV_ROUND_UP(n, FARMEM_QUEUE_TYPES);
	unsigned int polls = max(DIV_ROUND_UP(n - writes, 2), 1u);

	if (type == FARMEM_QUEUE_WRITE) {
		*first = 0;
		*count = writes;
	} else if (type == FARMEM_QUEUE_READ && n >= FARMEM_QUEUE_TYPES) {
		*first = writes;
		*count = n - writes - polls;
	} else {
		*first = n - polls;
		*count = polls;
	}
}

unsigned int farmem_plan_place(unsigned int n, unsigned int index)
{
	unsigned int type, first, count;

	for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
		farmem_plan_range(n, type, &first, &count);
		if (index >= first && index < first + count)
			return index - first;
	}
	return 0;
}

unsigned int farmem_plan_vector(unsigned int cpu, unsigned int cpus,
				unsigned int vectors,
				unsigned int (*nth)(unsigned int n, int node),
				int node)
{
	unsigned int n;

	for (n = 0; n < cpus; n++)
		if (nth(n, node) == cpu)
			return n % vectors;
	/* It is offline. */
	return cpu % vectors;
}

/* Of the server, which says so by farmem_message_reason_errno(), or of the CM here. */
static bool plan_out_of_resources(int err)
{
	return err == -ENOMEM || err == -ENOBUFS || err == -EUSERS;
}

enum farmem_queue_verdict
farmem_plan_judge(unsigned int index, enum farmem_connect_failure where, int err)
{
	if (where == FARMEM_FAILED_STALE)
		return FARMEM_QUEUE_AGAIN;
	if (index && (where == FARMEM_FAILED_CREATING || plan_out_of_resources(err)))
		return FARMEM_QUEUE_FEWER;
	return FARMEM_QUEUE_FAIL;
}

/* Of a packet that is lost, cut, or refused for its size. */
static bool plan_lost_on_the_way(int status)
{
	switch (status) {
	case IB_WC_LOC_LEN_ERR:
	case IB_WC_LOC_QP_OP_ERR:
	case IB_WC_BAD_RESP_ERR:
	case IB_WC_REM_INV_REQ_ERR:
	case IB_WC_REM_OP_ERR:
	case IB_WC_RETRY_EXC_ERR:
	case IB_WC_RNR_RETRY_EXC_ERR:
	case IB_WC_REM_ABORT_ERR:
		return true;
	default:
		return false;
	}
}

bool farmem_plan_blames_mtu(int status, u32 bytes)
{
	return bytes >= FARMEM_PAGE_SIZE && plan_lost_on_the_way(status);
}
