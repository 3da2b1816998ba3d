// SPDX-License-Identifier: GPL-2.0
/*
 * post.c - requests become work requests: built, chained, posted.
 *
 * Most requests come alone, and go so: post_alone().
 * What is posted together is a chain of up to 32 requests (a batch may be two)
 * and rings one doorbell.  Neighbours in it, as readahead and reclaim make them, are
 * one work request, which names the last of them.  Of the WRITEs in a chain only the
 * last is signaled.  A success proves the requests before it that have no completion
 * of their own (reap.c), and none lingers in writeback until a later chain comes.
 */
#include "arm.h"
#include "extent.h"
#include "fault.h"
#include "post.h"
#include "queue.h"
#include "wq.h"

/* Requests in a chain: the first waits for the completion of the last. */
#define CHAIN_MAX 32

/* Page states come from a constant page, again and again. */
static unsigned int post_state_sges(struct farmem_device *device, u64 dma,
				    u32 bytes, struct ib_sge *sge)
{
	unsigned int n;

	for (n = 0; bytes; n++) {
		sge[n].addr = dma;
		sge[n].length = min_t(u32, bytes, PAGE_SIZE);
		sge[n].lkey = device->pd->local_dma_lkey;
		bytes -= sge[n].length;
	}
	return n;
}

static void post_build_states(struct farmem_device *device,
			      struct farmem_request *req, struct ib_rdma_wr *wr,
			      u64 dma, struct ib_sge *sge)
{
	wr->wr = (struct ib_send_wr) {
		.wr_id = (unsigned long)req,
		.opcode = IB_WR_RDMA_WRITE,
		.sg_list = sge,
		.num_sge = post_state_sges(device, dma, req->meta_pages, sge),
	};
	wr->remote_addr = req->extent->meta_addr +
			  (req->within >> FARMEM_PAGE_SHIFT);
	wr->rkey = req->extent->meta_rkey;
}

static void post_build_barrier(struct farmem_request *req, struct ib_rdma_wr *wr)
{
	wr->wr = (struct ib_send_wr) {
		.wr_id = (unsigned long)req,
		.opcode = IB_WR_SEND_WITH_IMM,
		.ex.imm_data = cpu_to_be32(req->send.token),
	};
}

/* What carries no data. */
static noinline void post_build_bare(struct farmem_device *device, struct farmem_request *req)
{
	if (req->op == FARMEM_OP_BARRIER)
		post_build_barrier(req, &req->send.wr);
	else
		post_build_states(device, req, &req->send.wr, device->zero_dma, req->send.sge);
}

/* Its one or two work requests.  Return: the last, which names the request. */
static __always_inline struct ib_send_wr *post_build(struct farmem_device *device,
						     struct farmem_request *req)
{
	struct ib_send_wr *wr = &req->send.wr.wr;

	if (req->op >= FARMEM_OP_ZERO) {
		post_build_bare(device, req);
		return wr;
	}
	*wr = (struct ib_send_wr) {
		.wr_id = (unsigned long)req,
		.opcode = req->op == FARMEM_OP_READ ? IB_WR_RDMA_READ :
						      IB_WR_RDMA_WRITE,
		.send_flags = req->op == FARMEM_OP_READ ? IB_SEND_SIGNALED : 0,
		.sg_list = req->send.sge,
		.num_sge = req->send.sge_count,
	};
	req->send.wr.remote_addr = req->extent->addr + req->within;
	req->send.wr.rkey = req->extent->rkey;
	if (likely(!req->meta_pages))
		return wr;

	/* RC keeps the order: the data is there before. */
	post_build_states(device, req, &req->send.meta_wr, device->data_dma,
			  &req->send.meta_sge);
	wr->wr_id |= FARMEM_WR_CHAINED;
	wr->next = &req->send.meta_wr.wr;
	return wr->next;
}

/* Is @req the next behind @prev, the last one of @wr, and is there room for it? */
static bool post_joins(const struct farmem_device *device, const struct ib_send_wr *wr,
		       const struct farmem_request *prev, const struct farmem_request *req)
{
	return req->extent == prev->extent && req->within == prev->within + prev->bytes &&
	       req->op == prev->op && req->op < FARMEM_OP_ZERO &&
	       !req->meta_pages && !prev->meta_pages &&
	       !req->poll.on && !prev->poll.on &&
	       wr->num_sge + req->send.sge_count <= device->max_sge;
}

/* A device has copied the SGEs when posting returns. */
static void post_join(struct ib_send_wr *wr, const struct farmem_request *req)
{
	memcpy(wr->sg_list + wr->num_sge, req->send.sge,
	       req->send.sge_count * sizeof(*wr->sg_list));
	wr->num_sge += req->send.sge_count;
	wr->wr_id = (unsigned long)req;
}

/*
 * Hand them to the device.  Return: 0: the caller puts them in flight; -ENOMEM: a shortage,
 * nothing was posted.  After any other error perhaps half of it was: it is in flight
 * until the fence, nothing is posted behind it, and nothing may prove it.
 */
static __always_inline int post_send(struct farmem_queue *q, struct ib_send_wr *first)
{
	const struct ib_send_wr *bad = NULL;
	int err;

	if (farmem_fault(FARMEM_FAULT_POST))
		return -ENOMEM;
	err = farmem_fault(FARMEM_FAULT_POST_HARD) ? -EIO :
			ib_post_send(q->qp, first, &bad);
	if (unlikely(err == -ENOMEM && bad == first))
		return -ENOMEM;
	if (unlikely(err)) {
		q->live = false;
		q->ops->failed(q, err, FARMEM_LARGE_NONE,
			       "queue %u: posting failed (%d)", q->index, err);
	}
	q->stalled = false;
	return 0;
}

/* Return: 0, with @chain empty, or -ENOMEM: a shortage, nothing was posted. */
static int post_chain(struct farmem_queue *q, struct list_head *chain)
{
	struct ib_send_wr *first = NULL, *last = NULL;
	struct farmem_request *req, *prev = NULL;
	unsigned int n = 0;

	lockdep_assert_held(&q->lock);
	list_for_each_entry(req, chain, entry) {
		if (prev && post_joins(q->device, last, prev, req)) {
			post_join(last, req);
			prev->send.signaled = false;
		} else {
			if (last)
				last->next = &req->send.wr.wr;
			else
				first = &req->send.wr.wr;
			last = post_build(q->device, req);
		}
		req->send.signaled = req->op == FARMEM_OP_READ;
		prev = req;
		n++;
	}
	last->send_flags = IB_SEND_SIGNALED;
	list_last_entry(chain, struct farmem_request, entry)->send.signaled = true;

	if (unlikely(post_send(q, first)))
		return -ENOMEM;
	/* Refused: nothing may prove any of them. */
	if (unlikely(!q->live))
		list_for_each_entry(req, chain, entry)
			req->send.signaled = true;
	list_splice_tail_init(chain, &q->inflight);
	q->inflight_count += n;
	return 0;
}

/* May it be posted?  Return: 0, -ENOMEM: a shortage, -EINVAL: never. */
static int post_prepare(struct farmem_queue *q, struct farmem_request *req)
{
	if (q->credits < req->send.wr_count)
		return -ENOMEM;
	return req->send.mapped ? 0 : farmem_request_map(req, q->device);
}

/* Its end is told without the lock: by queue.c:queue_retry_work(), or the queue's own. */
static void post_give_up(struct farmem_queue *q, struct farmem_request *req)
{
	list_move_tail(&req->entry, &q->hopeless);
	q->stalled = false;
	if (req->op == FARMEM_OP_WRITE)
		q->write_bytes -= req->bytes;
	mod_delayed_work(farmem_wq, &q->retry, 0);
}

/* Cut what may go off @waiting, for @chain; false: a shortage. */
static bool post_gather_chain(struct farmem_queue *q, struct list_head *chain)
{
	struct farmem_request *req, *next;
	unsigned int n = 0;
	int err = 0;

	list_for_each_entry_safe(req, next, &q->waiting, entry) {
		if (n++ == CHAIN_MAX)
			break;
		err = post_prepare(q, req);
		if (unlikely(err == -EINVAL)) {
			post_give_up(q, req);
			err = 0;
			continue;
		}
		if (err)
			break;
		q->credits -= req->send.wr_count;
	}
	/* @req is the first that stays, or the list's head. */
	list_cut_before(chain, &q->waiting, &req->entry);
	return !err;
}

static void post_put_back(struct farmem_queue *q, struct list_head *chain)
{
	struct farmem_request *req;

	list_for_each_entry(req, chain, entry)
		q->credits += req->send.wr_count;
	list_splice_init(chain, &q->waiting);
}

/*
 * The waiting requests could not be posted.  Completions try again; without any, a timer
 * does.  The wait is bounded like that of requests in flight (heartbeat.c): requests parked
 * by recovery grow too old (repost.c), and a session made anew may find what this one lacks.
 */
static void post_try_later(struct farmem_queue *q)
{
	struct farmem_request *req;

	list_for_each_entry_reverse(req, &q->waiting, entry) {
		if (req->delayed)
			break;
		req->delayed = true;
	}
	if (q->inflight_count)
		return;
	if (!q->stalled) {
		q->stalled = true;
		q->stalled_since = jiffies;
	} else if (time_after(jiffies, q->stalled_since + q->patience)) {
		q->ops->failed(q, -ENOMEM, FARMEM_LARGE_NONE,
			       "queue %u has had requests to send for %lu s, and could send none: no DMA mapping (bounce buffers, IOMMU), or a send queue that stays full",
			       q->index, q->patience / HZ);
	}
	mod_delayed_work(farmem_wq, &q->retry, msecs_to_jiffies(10));
}

/* Ask for an interrupt, if what was posted is not polled for. */
static void post_arm(struct farmem_queue *q, bool arm)
{
	if (arm && q->live && q->inflight_count)
		farmem_arm_next(q);
}

void farmem_post_waiting(struct farmem_queue *q, bool arm)
{
	LIST_HEAD(chain);
	bool room = true;

	lockdep_assert_held(&q->lock);
	while (room && q->live && !list_empty(&q->waiting)) {
		room = post_gather_chain(q, &chain);
		if (!list_empty(&chain) && post_chain(q, &chain)) {
			post_put_back(q, &chain);
			room = false;
		}
	}
	if (unlikely(!room))
		post_try_later(q);
	post_arm(q, arm);
}

/*
 * A request that comes late, from before an outage, may not be posted while the session
 * is about to be live again: page states are not settled then.  Heartbeats and transfers,
 * which do not park, may.
 */
static enum farmem_posting post_admit(struct farmem_queue *q, struct farmem_request *req)
{
	if (unlikely(!q->open) && req->ops->park)
		return FARMEM_POST_REFUSED;
	if (unlikely(farmem_target_flags(req->target)))
		return req->ops->prepare(req);
	return FARMEM_POST_NOW;
}

static void post_take(struct farmem_queue *q, struct farmem_request *req)
{
	req->queue = q;
	req->send.wr_count = 1;
	if (req->op == FARMEM_OP_WRITE) {
		q->write_bytes += req->bytes;
		req->send.wr_count += !!req->meta_pages;
	}
}

/*
 * Its lock held.  What cannot be posted stays on the list.  Return: whether
 * anybody waits for an interrupt.
 */
static bool post_enqueue(struct farmem_queue *q, struct list_head *requests)
{
	struct farmem_request *req, *next;
	LIST_HEAD(refused);
	bool arm = false;

	list_for_each_entry_safe(req, next, requests, entry) {
		enum farmem_posting posting = post_admit(q, req);

		if (unlikely(posting == FARMEM_POST_REFUSED))
			list_move_tail(&req->entry, &refused);
		if (unlikely(posting))
			continue;
		post_take(q, req);
		arm |= !req->poll.on;
	}
	list_splice_tail_init(requests, &q->waiting);
	if (unlikely(!list_empty(&refused)))
		list_splice(&refused, requests);
	return arm;
}

/*
 * A task that unplugs may hold the last references of a volume that goes off, and
 * be preempted: farmem_queues_down() waits for this, as an RCU section.
 */
void farmem_post_list(struct farmem_queue *q, struct list_head *requests)
{
	struct farmem_request *req, *next;

	local_bh_disable();
	spin_lock(&q->lock);
	if (likely(q->live))
		farmem_post_waiting(q, post_enqueue(q, requests));
	spin_unlock(&q->lock);
	list_for_each_entry_safe(req, next, requests, entry)
		farmem_request_complete(req, BLK_STS_TRANSPORT);
	/* On 6.1 soft-RoCE does its work as this section ends. */
	local_bh_enable();
}

static int post_send_alone(struct farmem_queue *q, struct farmem_request *req)
{
	struct ib_send_wr *last;
	int err = post_prepare(q, req);

	if (unlikely(err))
		return err;
	last = post_build(q->device, req);
	last->send_flags = IB_SEND_SIGNALED;
	req->send.signaled = true;
	return post_send(q, &req->send.wr.wr);
}

/* Its lock held, and nothing waits: without the lists that gather a chain. */
static void post_alone(struct farmem_queue *q, struct farmem_request *req)
{
	int err;

	lockdep_assert_held(&q->lock);
	err = post_send_alone(q, req);
	if (likely(!err)) {
		q->credits -= req->send.wr_count;
		list_add_tail(&req->entry, &q->inflight);
		q->inflight_count++;
		return;
	}
	list_add_tail(&req->entry, &q->waiting);
	if (err == -EINVAL)
		post_give_up(q, req);
	else
		post_try_later(q);
}

/* Its lock held.  Return: false: refused, its end is to be told. */
static bool post_admitted(struct farmem_queue *q, struct farmem_request *req)
{
	enum farmem_posting posting = FARMEM_POST_REFUSED;

	INIT_LIST_HEAD(&req->entry);	/* for one that is to come later */
	if (likely(q->live))
		posting = post_admit(q, req);
	if (unlikely(posting))
		return posting == FARMEM_POST_LATER;
	post_take(q, req);
	if (likely(list_empty(&q->waiting))) {
		post_alone(q, req);
		post_arm(q, !req->poll.on);
	} else {
		list_add_tail(&req->entry, &q->waiting);
		farmem_post_waiting(q, !req->poll.on);
	}
	return true;
}

/* Without bottom halves to its end, as farmem_post_list(). */
void farmem_post_request(struct farmem_queue *q, struct farmem_request *req)
{
	bool admitted;

	local_bh_disable();
	spin_lock(&q->lock);
	admitted = post_admitted(q, req);
	spin_unlock(&q->lock);
	if (unlikely(!admitted))
		farmem_request_complete(req, BLK_STS_TRANSPORT);
	local_bh_enable();
}
