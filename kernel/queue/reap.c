// SPDX-License-Identifier: GPL-2.0
/*
 * reap.c - completions become the ends of requests; poll.c finds them.
 */
#include "fault.h"
#include "post.h"
#include "queue.h"
#include "reap.h"
#include "throttle.h"

#define REAP_BATCH 8

/* Let submitters go on; q->lock held.  In batches: each is a wake-up. */
static void reap_make_room(struct farmem_queue *q)
{
	if (list_empty(&q->waiting) &&
	    q->write_bytes <= farmem_throttle_low(q) &&
	    wq_has_sleeper(&q->room))
		wake_up_all(&q->room);
}

/* Reads wait for no more than an empty list: writes may go on to fill the queue. */
static noinline void reap_post_waiting(struct farmem_queue *q)
{
	farmem_post_waiting(q, true);
	if (list_empty(&q->waiting))
		wake_up_all(&q->room);
}

/* Off the list of those in flight; its end is told without the lock. */
static __always_inline void reap_take(struct farmem_queue *q, struct farmem_request *req)
{
	list_del(&req->entry);
	q->inflight_count--;
	q->credits += req->send.wr_count;
	if (req->op == FARMEM_OP_WRITE)
		q->write_bytes -= req->bytes;
}

/* A READ's success is not taken on trust. */
static bool reap_arrived(struct farmem_queue *q, struct farmem_request *req)
{
	if (likely(farmem_request_arrived(req)))
		return true;
	q->ops->failed(q, -EIO, FARMEM_LARGE_NONE,
		       "queue %u: a READ was reported as done, but its bytes never came",
		       q->index);
	return false;
}

/*
 * A success proves the unsignaled requests before it.  Signaled ones have
 * completions of their own, which another reaper may just be looking at.
 */
static void reap_take_proven(struct farmem_queue *q, struct farmem_request *until,
			     struct list_head *done)
{
	struct farmem_request *req, *next;

	list_for_each_entry_safe(req, next, &q->inflight, entry) {
		if (req == until)
			break;
		if (req->send.signaled)
			continue;
		reap_take(q, req);
		req->status = reap_arrived(q, req) ? BLK_STS_OK : BLK_STS_TRANSPORT;
		list_add_tail(&req->entry, done);
	}
}

static struct farmem_request *reap_request(const struct ib_wc *wc)
{
	return (void *)(unsigned long)wc->wr_id;
}

/* An error or a flush proves nothing about the others. */
static void reap_take_arrived(struct farmem_queue *q, const struct ib_wc *wc,
			      struct list_head *proven)
{
	struct farmem_request *req = reap_request(wc);

	if (likely(wc->status == IB_WC_SUCCESS)) {
		q->succeeded++;
		reap_take_proven(q, req, proven);
	}
	reap_take(q, req);
}

static bool reap_check_success(struct farmem_queue *q, struct ib_wc *wc)
{
	if (likely(!farmem_fault(FARMEM_FAULT_COMPLETION) && reap_arrived(q, reap_request(wc))))
		return true;
	wc->status = IB_WC_GENERAL_ERR;
	return false;
}

/*
 * Which way it carried a page and more, if it may have failed for its size.  Looked for
 * among those in flight: the end of a chained one is the next completion, which another
 * reaper may have handled, and a message is none of them.
 */
static enum farmem_queue_large reap_large(struct farmem_queue *q, const struct ib_wc *wc)
{
	const void *failed = (void *)(unsigned long)(wc->wr_id & ~(u64)FARMEM_WR_TAGS);
	enum farmem_queue_large large = FARMEM_LARGE_NONE;
	struct farmem_request *req;

	spin_lock(&q->lock);
	list_for_each_entry(req, &q->inflight, entry) {
		if (req != failed)
			continue;
		if (farmem_plan_blames_mtu(wc->status, req->op == FARMEM_OP_ZERO ?
					    req->meta_pages : req->bytes))
			large = req->op == FARMEM_OP_READ ? FARMEM_LARGE_READ :
							    FARMEM_LARGE_WRITE;
		break;
	}
	spin_unlock(&q->lock);
	return large;
}

/* @q->lock is not held. */
static noinline void reap_failed(struct farmem_queue *q, const struct ib_wc *wc)
{
	q->ops->failed(q, -EIO, reap_large(q, wc), "queue %u: %s (status %d, vendor %#x)",
		       q->index, ib_wc_status_msg(wc->status), wc->status,
		       wc->vendor_err);
}

/* What is not a request's end.  Return: false if it is one. */
static bool reap_special(struct farmem_queue *q, struct ib_wc *wc)
{
	if (likely(wc->status == IB_WC_SUCCESS && !(wc->wr_id & FARMEM_WR_TAGS)) &&
	    likely(reap_check_success(q, wc)))
		return false;
	/* Our own flushes find the session failed or aborted already. */
	if (unlikely(wc->status != IB_WC_SUCCESS) && farmem_queue_counts(q))
		reap_failed(q, wc);

	switch (wc->wr_id & FARMEM_WR_TAGS) {
	case FARMEM_WR_CONTROL:
		wc->wr_id &= ~(u64)FARMEM_WR_TAGS;
		q->ops->message(q, wc);
		return true;
	case FARMEM_WR_CHAINED:
		/* An error here comes again as a flush of the request's last. */
		return true;
	case FARMEM_WR_MARK:
		WRITE_ONCE(q->flushed, true);
		return true;
	}
	return false;
}

/* Softirqs are off. */
static void reap_handle(struct farmem_queue *q, struct ib_wc *wc, int n)
{
	struct farmem_request *req, *next;
	LIST_HEAD(proven);
	bool ends = false;
	int i;

	for (i = 0; i < n; i++) {
		if (reap_special(q, &wc[i]))
			wc[i].wr_id = 0;
		else
			ends = true;
	}
	if (!ends)
		return;

	spin_lock(&q->lock);
	for (i = 0; i < n; i++)
		if (likely(wc[i].wr_id))
			reap_take_arrived(q, &wc[i], &proven);
	if (unlikely(!list_empty(&q->waiting)))
		reap_post_waiting(q);
	reap_make_room(q);
	spin_unlock(&q->lock);

	list_for_each_entry_safe(req, next, &proven, entry)
		farmem_request_complete(req, req->status);
	for (i = 0; i < n; i++)
		if (likely(wc[i].wr_id))
			farmem_request_complete(reap_request(&wc[i]),
						wc[i].status ? BLK_STS_TRANSPORT : BLK_STS_OK);
}

int farmem_reap_completions(struct farmem_queue *q, int budget)
{
	/* Half a kilobyte, which kernels would clear (INIT_STACK_ALL_ZERO) at each poll. */
	struct ib_wc wc[REAP_BATCH] __uninitialized;
	int done = 0, want, n;

	if (farmem_fault_delays())
		return 0;
	do {
		want = min(budget - done, REAP_BATCH);
		/* Others wait for these: not to be preempted with them in hand. */
		local_bh_disable();
		n = ib_poll_cq(q->cq, want, wc);
		if (n > 0)
			reap_handle(q, wc, n);
		local_bh_enable();
		done += max(n, 0);
	} while (n == want && done < budget);
	return done;
}
