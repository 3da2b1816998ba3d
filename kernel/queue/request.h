/* SPDX-License-Identifier: GPL-2.0 */
/*
 * request.h - one RDMA operation in flight, from a kmem_cache.
 */
#ifndef FARMEM_REQUEST_H
#define FARMEM_REQUEST_H

#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/mempool.h>

#include "device.h"
#include "fault.h"
#include "zero-range.h"

struct farmem_extent;
struct farmem_queue;
struct farmem_request;
struct farmem_volume;

enum farmem_op {
	FARMEM_OP_READ,
	FARMEM_OP_WRITE,
	FARMEM_OP_ZERO,		/* page state bytes only */
	FARMEM_OP_BARRIER,	/* a token for the server, no bytes */
};

/* farmem_request_poll.wait: does the poller or the completion free a polled request? */
enum farmem_wait {
	FARMEM_WAIT_PENDING,
	FARMEM_WAIT_DONE,
	FARMEM_WAIT_ABANDONED,
};

enum farmem_posting {
	FARMEM_POST_NOW,
	FARMEM_POST_REFUSED,	/* it is given back, and parks */
	FARMEM_POST_LATER,	/* it is off its list, and comes again */
};

/**
 * struct farmem_request_ops - what a request asks those that made it
 * @prepare: of a request about to be posted, perhaps again, whose target has flags.
 *	Context: up to softirq, under the queue's lock
 * @park: of one that its queue gave back: true, and it is kept to be posted again; NULL
 *	if that is not wanted.  Context: up to softirq
 * @verify: of one that has @checked set and has succeeded: false: it was posted once more;
 *	NULL if that is never set.  Context: up to softirq, after unmapping
 * @done: its end, called once, after unmapping; BLK_STS_AGAIN: it is none, what it was
 *	made of begins anew.  Context: up to softirq
 */
struct farmem_request_ops {
	enum farmem_posting (*prepare)(struct farmem_request *req);
	bool (*park)(struct farmem_request *req);
	bool (*verify)(struct farmem_request *req, blk_status_t *status);
	void (*done)(struct farmem_request *req, blk_status_t status);
};

/* farmem_target.flags */
#define FARMEM_TARGET_GONE 1u	/* the server has it no longer, or not yet again */
#define FARMEM_TARGET_LOOK 2u	/* requests are to be prepared, from now on for good */

/**
 * struct farmem_target - the memory that requests go to, all of a volume's
 * @flags: one writer, under the session's lock; the last that is written when addresses
 *	and keys have changed, read with acquire semantics before these are
 */
struct farmem_target {
	unsigned int flags;
};

/* Of what is no volume's. */
extern const struct farmem_target farmem_target_ready;

/** farmem_target_change() - the one writer's */
static inline void farmem_target_change(struct farmem_target *target, unsigned int clear,
					unsigned int set)
{
	smp_store_release(&target->flags, (target->flags & ~clear) | set);
}

/** farmem_target_flags() - a poster that sees memory there sees its address.  Context: any. */
static inline unsigned int farmem_target_flags(const struct farmem_target *target)
{
	return smp_load_acquire(&target->flags);
}

/**
 * struct farmem_batch - what is gathered under one plug for one queue (batch.c)
 * @cb: on the plug's list; its data is the queue
 * @requests: linked by their @entry, the one with this batch first
 * @count: of them
 * @bytes: of all of them
 */
struct farmem_batch {
	struct blk_plug_cb cb;
	struct list_head requests;
	unsigned int count;
	unsigned int bytes;
};

/**
 * struct farmem_request_data - this machine's side
 * @bio: the data, or NULL: then @page
 * @page: the data if @bio is NULL, the request's bytes from @offset on
 * @offset: bytes
 */
struct farmem_request_data {
	struct bio *bio;
	struct page *page;
	unsigned int offset;
};

/**
 * struct farmem_request_poll - of a request that a poller may wait for
 * @on: one does, or did
 * @marked: @mark is at the end of the data, until that comes
 * @wait: enum farmem_wait
 * @mark: another one each time, see farmem_request_arrived()
 */
struct farmem_request_poll {
	bool on;
	bool marked;
	int wait;
	u64 mark;
};

/**
 * struct farmem_request_repost - of a request that may wait for the session
 * @since: jiffies when it first was given back, 0 = never
 * @waiter: of a READ: the task that sleeps until it is done, not killably; NULL: not known
 */
struct farmem_request_repost {
	unsigned long since;
	struct task_struct *waiter;
};

/**
 * struct farmem_request_send - what the adapter gets
 * @sge_count: mapped SGEs
 * @wr_count: work requests it takes in the send queue
 * @mapped: @sge is valid
 * @signaled: it has a completion of its own
 * @token: of a FARMEM_OP_BARRIER
 * @wr: the work request
 * @meta_wr: a second one, for page state bytes
 * @meta_sge: of @meta_wr
 * @sge: of the data, or of a FARMEM_OP_ZERO's page states
 */
struct farmem_request_send {
	u8 sge_count;
	u8 wr_count;
	bool mapped;
	bool signaled;
	u32 token;
	struct ib_rdma_wr wr;
	struct ib_rdma_wr meta_wr;
	struct ib_sge meta_sge;
	struct ib_sge sge[FARMEM_MAX_SGE];
};

/**
 * struct farmem_request - a READ, a WRITE, or a write of page states
 * @entry: on its queue's inflight or waiting list, under the queue's lock; before
 *	that perhaps in a batch, which is its task's alone
 * @queue: where it was posted
 * @extent: where it goes
 * @within: bytes from the extent's start
 * @target: what it goes to
 * @bytes: of data, or of the range that becomes zero
 * @opf: its bio's operation and flags: how long it may wait (verdict.h); swap's has
 *	REQ_SWAP
 * @meta_pages: page state bytes to write: of a FARMEM_OP_ZERO, or after the
 *	data of a FARMEM_OP_WRITE on pages whose states say zero; cleared with the next
 *	four, in one store
 * @delayed: it met a shortage
 * @lost: a READ of pages whose bytes are not there: farmem_prepare_request()
 * @checked: 0, or what @ops->verify is to do
 * @status: how it went, on the way to farmem_request_complete()
 * @op: enum farmem_op
 * @fault: a page fault's: a task waits for this page of swap
 * @checksums_seen: of a READ: of its pages' checksums, when it was posted
 * @data: this machine's side
 * @poll: of a poller
 * @ops: of those that made it
 * @private: of @ops
 * @volume: of @ops
 * @start: jiffies, for accounting; of @ops
 * @arrived: when its bio or page came (latency.h); of @ops
 * @offset: bytes from the volume's start
 * @zero_range: pages whose states it writes
 * @repost: while the session is away
 * @pool: where it came from
 * @batch: while it waits under a plug, as the first
 * @send: what the adapter gets
 */
struct farmem_request {
	struct list_head entry;
	struct farmem_queue *queue;
	const struct farmem_extent *extent;
	u64 within;
	const struct farmem_target *target;
	u32 bytes;
	blk_opf_t opf;
	u32 meta_pages;
	bool delayed;
	bool lost;
	u8 checked;
	blk_status_t status;
	u8 op;
	bool fault;
	u32 checksums_seen;
	struct farmem_request_data data;
	struct farmem_request_poll poll;
	const struct farmem_request_ops *ops;
	void *private;
	struct farmem_volume *volume;
	unsigned long start;
	u64 arrived;
	u64 offset;
	struct farmem_zero_range zero_range;
	struct farmem_request_repost repost;
	mempool_t *pool;
	struct farmem_batch batch;
	struct farmem_request_send send;
};

/**
 * farmem_request_pool() - a mempool of requests
 * @min: requests that it guarantees
 * @gfp: for these
 *
 * What ends a request frees it in the same RCU section, or under its session's lock, or as
 * its submitter, which has the disk or the page until then.  So the owner of a pool that
 * has seen all its requests end, and then had that lock, calls synchronize_rcu() and may
 * destroy it.
 *
 * Context: may sleep.
 */
mempool_t *farmem_request_pool(unsigned int min, gfp_t gfp);

/**
 * farmem_request_alloc() - take a request, idle and with no data
 * @pool: from farmem_request_pool()
 * @gfp: GFP_NOIO where it may sleep (then it never fails), else GFP_NOWAIT
 */
static inline struct farmem_request *farmem_request_alloc(mempool_t *pool, gfp_t gfp)
{
	struct farmem_request *req;

	/* A caller that may wait gets one in any case. */
	if (!gfpflags_allow_blocking(gfp) && farmem_fault(FARMEM_FAULT_ALLOC))
		return NULL;
	req = mempool_alloc(pool, gfp);
	if (!req)
		return NULL;
	req->data.bio = NULL;
	req->data.offset = 0;
	req->meta_pages = 0;
	req->delayed = false;
	req->lost = false;
	req->checked = 0;
	req->status = BLK_STS_OK;
	req->poll.on = false;
	req->repost.since = 0;
	req->poll.wait = FARMEM_WAIT_PENDING;
	req->pool = pool;
	return req;
}

/** farmem_request_free() - give a request back.  Context: any. */
void farmem_request_free(struct farmem_request *req);

/**
 * farmem_request_map() - make the data visible to the device
 * @req: not mapped yet
 * @device: of the queue that it goes to
 *
 * Context: any up to softirq.
 * Return: 0; -ENOMEM: a shortage that passes, try again later; -EINVAL: more
 * SGEs than the device takes, a bug: it will never do.
 */
int farmem_request_map(struct farmem_request *req,
		       struct farmem_device *device);

/* Where a software device puts the last bytes: its DMA addresses are pointers. */
static inline void *farmem_request_tail(const struct farmem_request *req)
{
	const struct ib_sge *last = &req->send.sge[req->send.sge_count - 1];

	return (void *)(uintptr_t)(last->addr + last->length -
				   sizeof(req->poll.mark));
}

/**
 * farmem_request_arrived() - is what its success promises there?
 * @req: of a successful completion, still mapped
 *
 * soft-RoCE completes some READs of which no byte, or only a part, ever came: when
 * a response was lost and the acknowledgement of a WRITE sent twice covers the READ,
 * or when a response does not fit what it expects (rxe_comp.c:check_ack(), 6.1 to
 * 6.12 read).  Bytes come in order: so the last ones are marked before, and a mark
 * that is still there tells.  A page that ends like its mark costs a recovery, and
 * its mark is another one then.  Adapters check this themselves, and are not asked.
 *
 * Context: any up to softirq.
 * Return: false: it must be taken for one that failed.
 */
static inline bool farmem_request_arrived(struct farmem_request *req)
{
	/* Also where it is not looked for: soft-RoCE said to be an adapter. */
	if (req->op == FARMEM_OP_READ && farmem_fault(FARMEM_FAULT_ARRIVAL))
		memcpy(farmem_request_tail(req), &req->poll.mark, sizeof(req->poll.mark));
	return !req->poll.marked ||
	       likely(memcmp(farmem_request_tail(req), &req->poll.mark,
			     sizeof(req->poll.mark)));
}

/**
 * farmem_request_complete() - the device is through with it, and so is its queue
 * @req: off its queue's lists; may be freed by this call
 * @status: how it went; BLK_STS_TRANSPORT: the queue is no longer, @req->ops->park
 *	decides
 *
 * Unmaps before anybody is told.  Context: any up to softirq.
 */
void farmem_request_complete(struct farmem_request *req, blk_status_t status);

/**
 * farmem_request_finish() - its end
 * @req: unmapped; may be freed by this call
 * @status: how it went
 *
 * Context: any up to softirq.
 */
void farmem_request_finish(struct farmem_request *req, blk_status_t status);

/**
 * farmem_request_awaited() - does a poller still wait?
 * @req: being completed
 */
static inline bool farmem_request_awaited(const struct farmem_request *req)
{
	return req->poll.on && READ_ONCE(req->poll.wait) == FARMEM_WAIT_PENDING;
}

/**
 * farmem_request_abandon() - a poller stops waiting, and touches it no more
 * @req: with @polled set; freed here if it is done, else by its completion
 */
void farmem_request_abandon(struct farmem_request *req);

int farmem_request_init(void);
void farmem_request_exit(void);

#endif /* FARMEM_REQUEST_H */
