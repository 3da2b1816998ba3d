// SPDX-License-Identifier: GPL-2.0
/*
 * reap.c - completions: by interrupt (irq_poll, softirq) or by polling.
 */
#include <linux/sched/clock.h>

#include "fault.h"
#include "queue.h"

#define REAP_BATCH 8

/* Requests that are not polled for after one that was in vain. */
#define POLL_SKIP 8

unsigned int farmem_poll_budget_us = 100;

/* Let submitters go on; q->lock held.  In batches: each is a wake-up. */
static void make_room(struct farmem_queue *q)
{
	if (list_empty(&q->waiting) &&
	    q->write_bytes <= FARMEM_QUEUE_WRITE_BYTES / 2 &&
	    wq_has_sleeper(&q->room))
		wake_up_all(&q->room);
}

static void take(struct farmem_queue *q, struct farmem_request *req,
		 blk_status_t status, struct list_head *done)
{
	list_move_tail(&req->entry, done);
	req->status = status;
	q->inflight_count--;
	q->credits += req->wr_count;
	if (req->op == FARMEM_OP_WRITE)
		q->write_bytes -= req->bytes;
}

/*
 * A success proves the unsignaled requests before it.  Signaled ones have
 * completions of their own, which another reaper may just be looking at.
 */
static void take_proven(struct farmem_queue *q, struct farmem_request *until,
			struct list_head *done)
{
	struct farmem_request *req, *next;

	list_for_each_entry_safe(req, next, &q->inflight, entry) {
		if (req == until)
			break;
		if (!req->signaled)
			take(q, req, BLK_STS_OK, done);
	}
}

/* An error or a flush proves nothing about the others. */
static void take_arrived(struct farmem_queue *q, const struct ib_wc *wc,
			 struct list_head *done)
{
	struct farmem_request *req = (void *)(unsigned long)wc->wr_id;

	if (likely(wc->status == IB_WC_SUCCESS)) {
		q->succeeded++;
		take_proven(q, req, done);
		take(q, req, BLK_STS_OK, done);
	} else {
		take(q, req, BLK_STS_TRANSPORT, done);
	}
}

/* A request's success is not taken on trust. */
static void check_success(struct farmem_queue *q, struct ib_wc *wc)
{
	struct farmem_request *req = (void *)(unsigned long)wc->wr_id;

	if (farmem_fault(FARMEM_FAULT_COMPLETION)) {
		wc->status = IB_WC_GENERAL_ERR;
	} else if (unlikely(!farmem_request_arrived(req))) {
		q->ops->failed(q, -EIO, FARMEM_LARGE_NONE,
			       "queue %u: a READ was reported as done, but its bytes never came",
			       q->index);
		wc->status = IB_WC_GENERAL_ERR;
	}
}

/* Which way it carried a page and more, if it may have failed for its size. */
static enum farmem_queue_large large(const struct ib_wc *wc)
{
	const struct farmem_request *req =
		(void *)(unsigned long)(wc->wr_id & ~(u64)FARMEM_WR_TAGS);
	u64 tags = wc->wr_id & FARMEM_WR_TAGS;

	if (tags == FARMEM_WR_CONTROL || tags == FARMEM_WR_MARK ||
	    !farmem_queue_blames_mtu(wc->status, req->op == FARMEM_OP_ZERO ?
				     req->meta_pages : req->bytes))
		return FARMEM_LARGE_NONE;
	return req->op == FARMEM_OP_READ ? FARMEM_LARGE_READ : FARMEM_LARGE_WRITE;
}

static void failed(struct farmem_queue *q, const struct ib_wc *wc)
{
	q->ops->failed(q, -EIO, large(wc), "queue %u: %s (status %d, vendor %#x)",
		       q->index, ib_wc_status_msg(wc->status), wc->status,
		       wc->vendor_err);
}

/* What is not a request's end.  Return: false if it is one. */
static bool special(struct farmem_queue *q, struct ib_wc *wc)
{
	if (likely(wc->status == IB_WC_SUCCESS && !(wc->wr_id & FARMEM_WR_TAGS)))
		check_success(q, wc);
	/* Our own flushes find the session failed or aborted already. */
	if (unlikely(wc->status != IB_WC_SUCCESS) && farmem_queue_counts(q))
		failed(q, wc);

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
static void handle(struct farmem_queue *q, struct ib_wc *wc, int n)
{
	struct farmem_request *req, *next;
	LIST_HEAD(done);
	int i, ends = 0;

	for (i = 0; i < n; i++)
		if (!special(q, &wc[i]))
			wc[ends++] = wc[i];
	if (!ends)
		return;

	spin_lock(&q->lock);
	for (i = 0; i < ends; i++)
		take_arrived(q, &wc[i], &done);
	if (unlikely(!list_empty(&q->waiting)))
		farmem_queue_post_waiting(q, true);
	make_room(q);
	spin_unlock(&q->lock);

	list_for_each_entry_safe(req, next, &done, entry)
		farmem_request_complete(req, req->status);
}

int farmem_queue_reap(struct farmem_queue *q, int budget)
{
	struct ib_wc wc[REAP_BATCH];
	int done = 0, want, n;

	if (farmem_fault_delays())
		return 0;
	do {
		want = min(budget - done, REAP_BATCH);
		/* Others wait for these: not to be preempted with them in hand. */
		local_bh_disable();
		n = ib_poll_cq(q->cq, want, wc);
		if (n > 0)
			handle(q, wc, n);
		local_bh_enable();
		done += max(n, 0);
	} while (n == want && done < budget);
	return done;
}

static void request_event(struct farmem_queue *q, enum ib_cq_notify_flags at)
{
	if (ib_req_notify_cq(q->cq, at | IB_CQ_REPORT_MISSED_EVENTS) > 0)
		irq_poll_sched(&q->iop);
}

void farmem_queue_arm(struct farmem_queue *q)
{
	if (!test_and_set_bit(0, &q->armed))
		request_event(q, IB_CQ_NEXT_COMP);
}

void farmem_queue_listen(struct farmem_queue *q)
{
	lockdep_assert_held(&q->lock);
	if (q->inflight_count || READ_ONCE(q->sending))
		farmem_queue_arm(q);
	else
		request_event(q, IB_CQ_SOLICITED);
}

void farmem_queue_cq_event(struct ib_cq *cq, void *context)
{
	struct farmem_queue *q = context;

	irq_poll_sched(&q->iop);
}

int farmem_queue_irq_poll(struct irq_poll *iop, int budget)
{
	struct farmem_queue *q = container_of(iop, struct farmem_queue, iop);
	int done = farmem_queue_reap(q, budget);

	if (done < budget) {
		irq_poll_complete(iop);
		clear_bit(0, &q->armed);
		smp_mb__after_atomic();	/* pairs with post's list_add, arm */
		if (!q->index) {
			spin_lock_bh(&q->lock);
			farmem_queue_listen(q);
			spin_unlock_bh(&q->lock);
		} else if (READ_ONCE(q->inflight_count)) {
			farmem_queue_arm(q);
		}
	}
	return done;
}

/*
 * Nothing there yet.  Newer soft-RoCE works in a workqueue: whom our post
 * woke may need this CPU, and the scheduler is in no hurry to give it to him.
 * Next to an adapter that would cost a time slice where microseconds do.
 */
static void relax(const struct farmem_queue *q)
{
	if (need_resched()) {
		cond_resched();
		return;
	}
	if (q->device->software)
		yield();
	/* The other thread of a core, or of an emulator, may be who works. */
	cpu_relax();
}

/*
 * Who spent the budget in vain found a busy CPU or a slow link, and whoever polls
 * next may as well: some requests are left to the interrupt then.
 */
static bool worth_it(struct farmem_queue *q)
{
	unsigned int skip = READ_ONCE(q->poll_skip);

	if (likely(!skip))
		return true;
	/* Nobody minds if two do this at once. */
	WRITE_ONCE(q->poll_skip, skip - 1);
	return false;
}

static void poll_for(struct farmem_queue *q, struct farmem_request *req)
{
	u64 budget = (u64)READ_ONCE(farmem_poll_budget_us) * NSEC_PER_USEC;
	u64 start = 0, now;

	if (unlikely(!worth_it(q)))
		budget = 0;
	while (READ_ONCE(q->live)) {
		bool idle = !farmem_queue_reap(q, REAP_BATCH);

		if (READ_ONCE(req->wait) == FARMEM_WAIT_DONE)
			break;
		now = local_clock();
		if (!start)
			start = now;
		if (now - start >= budget) {
			if (budget)
				WRITE_ONCE(q->poll_skip, POLL_SKIP);
			farmem_queue_arm(q);
			break;
		}
		if (idle)
			relax(q);
		else
			cond_resched();
	}
}

/*
 * Not for what may be parked, and replayed, without an end of the queue: its volume may
 * be away while the session is live, and come back at any time.  Nor for a write that may
 * have to wait for another one of the same page states.
 */
static bool may_poll(struct farmem_queue *q, const struct farmem_request *req)
{
	unsigned int flags;

	/* What @open says is settled has set its flags. */
	if (!READ_ONCE(q->live) || !smp_load_acquire(&q->open))
		return false;
	flags = farmem_target_flags(req->target);
	return likely(!flags) ||
	       (req->op == FARMEM_OP_READ && !(flags & FARMEM_TARGET_GONE));
}

void farmem_queue_post_polled(struct farmem_queue *q,
			      struct farmem_request *req)
{
	bool counted;

	/* An RCU section: who saw the queue live is counted when it ends. */
	local_bh_disable();
	counted = may_poll(q, req);
	if (likely(counted))
		atomic_inc(&q->pollers);
	req->polled = counted;
	farmem_queue_post(q, req);
	/* On 6.1 soft-RoCE does its work as this section ends. */
	local_bh_enable();
	if (unlikely(!counted))
		return;

	poll_for(q, req);
	farmem_request_abandon(req);
	local_bh_disable();
	if (atomic_dec_and_test(&q->pollers) && unlikely(!READ_ONCE(q->live)))
		wake_up_var(&q->pollers);
	local_bh_enable();
}
