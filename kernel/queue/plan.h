/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - what is decided about a session's queues by numbers alone.
 *
 * No state and no locks: the unit tests compile the very source in user space.
 */
#ifndef FARMEM_PLAN_H
#define FARMEM_PLAN_H

#include <linux/types.h>

/* What a queue is for; where there are few, types share them. */
enum farmem_queue_type {
	FARMEM_QUEUE_WRITE,
	FARMEM_QUEUE_READ,	/* that come by interrupt */
	FARMEM_QUEUE_POLL,	/* reads that somebody polls for */
	FARMEM_QUEUE_TYPES,
};

/* Where an attempt to connect a queue failed. */
enum farmem_connect_failure {
	FARMEM_FAILED_CONNECTING, /* resolving, asking, or the answer */
	FARMEM_FAILED_CREATING,	/* this node's device made no CQ or no queue pair */
	FARMEM_FAILED_STALE,	/* the peer's CM: it knows that queue pair from an earlier life */
};

enum farmem_queue_verdict {
	FARMEM_QUEUE_AGAIN,	/* try this queue again, at once */
	FARMEM_QUEUE_FEWER,	/* go on with the queues before it */
	FARMEM_QUEUE_FAIL,
};

/**
 * farmem_plan_range() - which queues are of a type
 * @n: queues of the session, at least 1
 * @type: which of them
 * @first: set to the first's index
 * @count: set to their number, at least 1
 */
void farmem_plan_range(unsigned int n, enum farmem_queue_type type,
		       unsigned int *first, unsigned int *count);

/** farmem_plan_place() - of @n queues, how many of @index's type come before it? */
unsigned int farmem_plan_place(unsigned int n, unsigned int index);

/**
 * farmem_plan_vector() - the completion vector for a queue
 * @cpu: the first that it serves
 * @cpus: how many @nth() goes through
 * @vectors: of the device, at least 1
 * @nth: the @n-th CPU as drivers spread their interrupts: those of @node first
 * @node: the device's
 *
 * Vector v of an adapter interrupts, as a rule, the v-th CPU in that order, so that
 * completions run on the CPU that submits.
 */
unsigned int farmem_plan_vector(unsigned int cpu, unsigned int cpus,
				unsigned int vectors,
				unsigned int (*nth)(unsigned int n, int node),
				int node);

/**
 * farmem_plan_judge() - an attempt to connect a queue failed: what now?
 * @index: of the queue
 * @where: it failed there
 * @err: negative errno
 *
 * Drivers say in many ways that they have no more queue pairs or CQs: ENOMEM, EAGAIN,
 * EOVERFLOW, EINVAL.  So for every queue but the first any error counts as that.
 */
enum farmem_queue_verdict
farmem_plan_judge(unsigned int index, enum farmem_connect_failure where, int err);

/**
 * farmem_plan_blames_mtu() - may it be that packets of the full size do not pass?
 * @status: enum ib_wc_status of a request that failed
 * @bytes: of its data
 *
 * The messages of a handshake are small, and they have passed; if no large request has
 * passed the same way, it is that.  Which error one then ends with depends on the adapter
 * and on where its packets are lost: soft-RoCE says "RNR retry counter exceeded" of READs.
 */
bool farmem_plan_blames_mtu(int status, u32 bytes);

#endif /* FARMEM_PLAN_H */
