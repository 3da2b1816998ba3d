// SPDX-License-Identifier: GPL-2.0
/*
 * repost.c - requests given back by a queue that ended: posted again, or failed.
 *
 * A request is only added, under repost->lock, while the verdict is not to fail; whatever
 * changes the verdict looks at the lists after that.  So none stays behind.
 */
#include <linux/sched/signal.h>

#include "extents.h"
#include "memory.h"
#include "pair.h"
#include "post.h"
#include "queue.h"
#include "repost.h"
#include "wq.h"

/* Requests that are looked at with interrupts off: there may be thousands. */
#define REPOST_LOOKS 64u

/*
 * I/O that ends each session that it comes to would be posted for ever: its own
 * time is over too.
 */
static bool repost_too_old(struct farmem_memory *m, enum farmem_lane lane,
			   struct farmem_request *req)
{
	if (!req->repost.since)
		req->repost.since = jiffies ?: 1;
	/* A read's own time is io_deadline, wherever else the data is. */
	return farmem_verdict_expired(m, lane == FARMEM_LANE_READ ? FARMEM_LANE_WRITE : lane,
				      req->repost.since) && farmem_pair_let_go(m);
}

/* Such a request is over before its waiter can go: the task is there. */
static bool repost_waiter_killed(const struct farmem_request *req)
{
	return req->repost.waiter && fatal_signal_pending(req->repost.waiter);
}

static void repost_look_soon(struct farmem_repost *r)
{
	if (!timer_pending(&r->killed))
		mod_timer(&r->killed, jiffies + HZ);
}

/* Return: false if it is to fail; with @timed also because its own time is over. */
static bool repost_keep(struct farmem_request *req, bool timed)
{
	struct farmem_memory *m = farmem_memory_of(req);
	enum farmem_lane lane = farmem_verdict_lane(m, req->opf);
	struct farmem_repost *r = &m->repost;
	enum farmem_verdict verdict;
	unsigned long flags;
	bool fail;

	spin_lock_irqsave(&r->lock, flags);
	verdict = farmem_verdict_pass(m, lane, &r->deadline);
	fail = verdict == FARMEM_VERDICT_FAIL ||
	       (timed && repost_too_old(m, lane, req)) || repost_waiter_killed(req);
	if (!fail) {
		list_add_tail(&req->entry, &r->requests[lane]);
		r->count++;
		if (req->repost.waiter)
			repost_look_soon(r);
		/* It came late: the session is live again. */
		if (verdict == FARMEM_VERDICT_GO)
			queue_work(farmem_wq, &r->work);
	}
	spin_unlock_irqrestore(&r->lock, flags);
	return !fail;
}

bool farmem_repost_request(struct farmem_request *req)
{
	if (unlikely(farmem_target_flags(req->target) & FARMEM_TARGET_LOOK) &&
	    !farmem_extents_place(req)) {
		farmem_request_finish(req, BLK_STS_AGAIN);
		return true;
	}
	return repost_keep(req, true);
}

void farmem_repost_resume(struct list_head *requests)
{
	struct farmem_request *req, *next;

	list_for_each_entry_safe(req, next, requests, entry) {
		list_del(&req->entry);
		if (!repost_keep(req, false))
			farmem_request_finish(req, BLK_STS_TRANSPORT);
	}
}

/* One of those that wait, if that is still the verdict, or NULL. */
static struct farmem_request *repost_take(struct farmem_memory *m, enum farmem_lane lane,
					  enum farmem_verdict verdict)
{
	struct farmem_repost *r = &m->repost;
	struct farmem_request *req = NULL;
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	if (!list_empty(&r->requests[lane]) &&
	    farmem_verdict_stands(m, lane, verdict, &r->deadline)) {
		req = list_first_entry(&r->requests[lane], struct farmem_request, entry);
		list_del(&req->entry);
		r->count--;
	}
	spin_unlock_irqrestore(&r->lock, flags);
	return req;
}

/* Neither sleeps nor allocates: bios may have to wait for these requests. */
static void repost_lane(struct farmem_memory *m, enum farmem_lane lane)
{
	struct farmem_request *req;

	while ((req = repost_take(m, lane, FARMEM_VERDICT_GO))) {
		/* Its poller has given up: the old queue is gone. */
		req->poll.on = false;
		farmem_post_request(farmem_session_queue(m->session,
							 farmem_queue_type_of(req->op, false)),
				    req);
	}
}

static void repost_fail_lane(struct farmem_memory *m, enum farmem_lane lane)
{
	struct farmem_request *req;

	while ((req = repost_take(m, lane, FARMEM_VERDICT_FAIL)))
		farmem_request_finish(req, BLK_STS_TRANSPORT);
}

static void repost_update_lane(struct farmem_memory *m, enum farmem_lane lane)
{
	switch (farmem_verdict(m, lane)) {
	case FARMEM_VERDICT_GO:
		repost_lane(m, lane);
		break;
	case FARMEM_VERDICT_WAIT:
		farmem_verdict_start_clock(m, lane, &m->repost.deadline);
		break;
	case FARMEM_VERDICT_FAIL:
		repost_fail_lane(m, lane);
		break;
	}
}

void farmem_repost_update(struct farmem_memory *m)
{
	enum farmem_lane lane;

	for (lane = 0; lane < FARMEM_LANES; lane++)
		repost_update_lane(m, lane);
}

static void repost_work(struct work_struct *work)
{
	struct farmem_memory *m = container_of(work, struct farmem_memory, repost.work);
	enum farmem_lane lane;

	for (lane = 0; lane < FARMEM_LANES; lane++)
		repost_lane(m, lane);
}

static void repost_deadline_over(struct timer_list *timer)
{
	farmem_repost_update(container_of(timer, struct farmem_memory, repost.deadline));
}

/*
 * Look at the first of those that wait.  What is not over becomes the last, so that the
 * next look goes on from here; no order is promised to I/O under way.
 */
static void repost_look_at_some(struct farmem_repost *r, unsigned int some,
				struct list_head *killed)
{
	struct list_head *waiting = &r->requests[FARMEM_LANE_READ];
	struct farmem_request *req;
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	for (; some && !list_empty(waiting); some--) {
		req = list_first_entry(waiting, struct farmem_request, entry);
		if (repost_waiter_killed(req)) {
			list_move_tail(&req->entry, killed);
			r->count--;
			continue;
		}
		list_move_tail(&req->entry, waiting);
		if (req->repost.waiter)
			repost_look_soon(r);
	}
	spin_unlock_irqrestore(&r->lock, flags);
}

/*
 * A kill tells nobody here, and nothing else can wake these tasks.  No adapter knows of
 * their pages any more.
 */
static void repost_look_for_killed(struct timer_list *timer)
{
	struct farmem_repost *r = container_of(timer, struct farmem_repost, killed);
	struct farmem_request *req, *next;
	unsigned int left, some;
	unsigned long flags;
	LIST_HEAD(killed);

	/* A waiter that came before this saw the timer pending: it counts on this look. */
	spin_lock_irqsave(&r->lock, flags);
	left = r->count;
	spin_unlock_irqrestore(&r->lock, flags);
	for (; left; left -= some) {
		some = min(left, REPOST_LOOKS);
		repost_look_at_some(r, some, &killed);
	}
	list_for_each_entry_safe(req, next, &killed, entry)
		farmem_request_finish(req, BLK_STS_TRANSPORT);
}

void farmem_repost_stop(struct farmem_repost *r)
{
	timer_delete_sync(&r->deadline);
	timer_delete_sync(&r->killed);
	cancel_work_sync(&r->work);
}

void farmem_repost_init(struct farmem_repost *r)
{
	enum farmem_lane lane;

	spin_lock_init(&r->lock);
	for (lane = 0; lane < FARMEM_LANES; lane++)
		INIT_LIST_HEAD(&r->requests[lane]);
	INIT_WORK(&r->work, repost_work);
	timer_setup(&r->deadline, repost_deadline_over, 0);
	timer_setup(&r->killed, repost_look_for_killed, 0);
}
