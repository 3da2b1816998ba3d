/* SPDX-License-Identifier: GPL-2.0 */
/*
 * queue.h - one RC queue pair with its completion queue.
 */
#ifndef FARMEM_QUEUE_H
#define FARMEM_QUEUE_H

#include <linux/irq_poll.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <rdma/rdma_cm.h>

#include "farmem-proto.h"
#include "plan.h"
#include "request.h"

struct farmem_session;

/* Send queue depth, where the device allows it. */
#define FARMEM_QUEUE_DEPTH 128

/* Low bits of wr_id beside the pointer. */
#define FARMEM_WR_CONTROL 1ul	/* a control message's buffer, not a request */
#define FARMEM_WR_CHAINED 2ul	/* not the last work request of its request */
#define FARMEM_WR_MARK	  3ul	/* both: farmem_queue_stop()'s, nothing else */
#define FARMEM_WR_TAGS	  3ul

/*
 * Which way a failed request went that carried at least a page, if packets that are lost
 * for their size get its status.
 */
enum farmem_queue_large {
	FARMEM_LARGE_NONE,
	FARMEM_LARGE_WRITE,
	FARMEM_LARGE_READ,
};

struct farmem_queue;

/**
 * struct farmem_queue_ops - what a queue tells its session
 * @failed: it is no good any more, for a reason that people read.  Context: any up to
 *	softirq, @q->lock held or not
 * @message: the completion of a control message, tag taken off.  Context: up to softirq
 */
struct farmem_queue_ops {
	__printf(4, 5)
	void (*failed)(struct farmem_queue *q, int err, enum farmem_queue_large large,
		       const char *fmt, ...);
	void (*message)(struct farmem_queue *q, struct ib_wc *wc);
};

/**
 * struct farmem_queue - a queue pair of a session
 * @session: whose it is; outlives it
 * @ops: of the session
 * @device: RDMA device of @qp and @cq
 * @index: in the session; 0 carries the control messages too
 * @depth: work requests that it may have posted, without two that the control message and the
 *	mark of farmem_queue_stop() have; FARMEM_QUEUE_DEPTH at most
 * @lock: guards @live, @open, @credits, @inflight, @waiting, @hopeless; taken with bottom halves
 *	off; a session's state_lock nests inside
 * @live: may be posted to; false before the queue pair is taken down
 * @open: by volumes, too: their page states are settled
 * @credits: work requests that still fit in the send queue
 * @inflight: requests that the device has, oldest first
 * @inflight_count: their number
 * @waiting: requests for which there was no credit or no mapping
 * @hopeless: requests that can never be posted, until their end is told
 * @stalled: nothing is in flight, and what waits could not be posted
 * @stalled_since: jiffies
 * @patience: jiffies that what waits may do so, and what is in flight too
 * @sending: a control message of ours is the device's
 * @write_bytes: of WRITEs in @inflight and @waiting
 * @software: CPUs do its device's work; a copy, since @device may be gone
 * @room: submitters that wait until @waiting is empty, @write_bytes small
 * @qp: its queue pair; NULL: it has none
 * @cq: completions of @qp
 * @iop: reaps them after an interrupt, in softirq
 * @armed: bit 0: an interrupt is asked for, or @iop will look and clear it
 * @succeeded: requests that have, since it was started
 * @flushed: all that was posted before farmem_queue_stop() is through
 * @poll_skip: so many next ones are not polled for
 * @retry: posts what waits when nothing in flight would, and ends what is hopeless
 * @pollers: threads inside farmem_poll_request(); it all outlives them
 * @seen: @succeeded, when the heartbeat looked last
 * @still_since: jiffies, since when that is so although requests are in flight
 * @barrier: the token that was said on it last
 * @cm_id: of its connection, or of an attempt at one
 * @former_id: of the connection before, whose peer has not been told that it is over
 * @cm_done: the last step of connecting is over; stored with release semantics, after @cm_error
 *	and @cm_rep
 * @connected: @cm_id's connection is established
 * @mtu: bytes of its path's packets: of this end's port, or of the path that a subnet
 *	manager knows
 * @cm_error: how that step went, 0 or a negative errno
 * @failed_at: where the last attempt to connect it failed, if it did
 * @given_up: it is being taken down by itself: what it reports is our own doing
 * @cm_rep: what the server said when it accepted, zeros behind what was sent
 */
struct farmem_queue {
	struct farmem_session *session;
	const struct farmem_queue_ops *ops;
	struct farmem_device *device;
	unsigned int index;
	unsigned int depth;

	spinlock_t lock;
	bool live;
	bool open;
	bool stalled;
	unsigned int credits;
	unsigned int inflight_count;
	struct list_head inflight;
	struct list_head waiting;
	struct list_head hopeless;
	unsigned long stalled_since;
	unsigned long patience;
	bool sending;
	bool software;
	unsigned int write_bytes;
	unsigned long succeeded;
	wait_queue_head_t room;

	struct ib_qp *qp;
	struct ib_cq *cq;
	struct irq_poll iop;
	unsigned long armed;
	bool flushed;
	atomic_t pollers;
	unsigned int poll_skip;
	struct delayed_work retry;

	/* heartbeat.c */
	unsigned long seen;
	unsigned long still_since;

	/* barrier.c */
	u32 barrier;

	/* connect.c */
	struct rdma_cm_id *cm_id;
	struct rdma_cm_id *former_id;
	bool cm_done;
	bool connected;
	unsigned int mtu;
	int cm_error;
	enum farmem_connect_failure failed_at;
	bool given_up;
	struct farmem_cm_rep cm_rep;
};

/** farmem_queue_type_of() - which of a CPU's queues an operation takes. */
static inline enum farmem_queue_type farmem_queue_type_of(enum farmem_op op, bool awaited)
{
	if (op != FARMEM_OP_READ)
		return FARMEM_QUEUE_WRITE;
	return awaited ? FARMEM_QUEUE_POLL : FARMEM_QUEUE_READ;
}

/** farmem_queue_init() - a queue without queue pair.  Context: any. */
void farmem_queue_init(struct farmem_queue *q, struct farmem_session *session,
		       const struct farmem_queue_ops *ops, unsigned int index);

/**
 * farmem_queue_create() - make the CQ and the QP (state INIT)
 * @q: its @cm_id has a device and a route
 * @device: that device
 * @cpu: that it serves: its interrupt comes near
 *
 * Context: may sleep.  Return: 0 or a negative errno, with nothing left.
 */
int farmem_queue_create(struct farmem_queue *q, struct farmem_device *device,
			unsigned int cpu);

/** farmem_queue_counts() - does it count for the session that this queue fails? */
static inline bool farmem_queue_counts(const struct farmem_queue *q)
{
	return !READ_ONCE(q->given_up);
}

/**
 * farmem_queue_start() - the QP is connected: take requests that do not park
 * @q: created
 * @patience: see there
 */
void farmem_queue_start(struct farmem_queue *q, unsigned long patience);

/** farmem_queue_open() - take all requests: page states are settled; @q is started. */
void farmem_queue_open(struct farmem_queue *q);

/**
 * farmem_queue_stop() - take no more requests, move the QP to ERR
 * @q: started, or not even created: then nothing happens
 *
 * Context: may sleep.
 */
void farmem_queue_stop(struct farmem_queue *q);

/**
 * farmem_queue_drain() - let go of the CQ, wait a bounded time for the flushes
 * @q: stopped, and a grace period ago; or not even created
 * @deadline: jiffies
 *
 * Context: may sleep.  Before farmem_queue_destroy() the caller waits for RCU:
 * irq_poll may still be leaving a handler.
 */
void farmem_queue_drain(struct farmem_queue *q, unsigned long deadline);

/**
 * farmem_queue_destroy() - fence, then give back every request
 * @q: drained
 *
 * Destroys the QP, which is what truly keeps the device off the pages, then
 * completes what is still on the lists with BLK_STS_TRANSPORT, then frees the
 * CQ.  Idempotent.  Context: may sleep.
 */
void farmem_queue_destroy(struct farmem_queue *q);

#endif /* FARMEM_QUEUE_H */
