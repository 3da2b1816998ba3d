// SPDX-License-Identifier: GPL-2.0
/*
 * poll.c - what looks for completions: irq_poll, after an interrupt, or the submitter that
 * waits for one.  What is armed when: arm.c.
 */
#include <linux/sched/clock.h>

#include "arm.h"
#include "poll.h"
#include "post.h"
#include "queue.h"
#include "reap.h"

/* Completions that a poller handles before it looks for its own. */
#define POLL_BATCH 8

/* Requests that are not polled for after one that outlasted the budget. */
#define POLL_SKIP 8

unsigned int farmem_poll_budget_us = 100;

void farmem_poll_event(struct ib_cq *cq, void *context)
{
	struct farmem_queue *q = context;

	irq_poll_sched(&q->iop);
}

int farmem_poll_irq(struct irq_poll *iop, int budget)
{
	struct farmem_queue *q = container_of(iop, struct farmem_queue, iop);
	int done = farmem_reap_completions(q, budget);

	if (done < budget) {
		irq_poll_complete(iop);
		clear_bit(0, &q->armed);
		smp_mb__after_atomic();	/* pairs with post's list_add, arm */
		if (!q->index) {
			spin_lock_bh(&q->lock);
			farmem_arm_solicited(q);
			spin_unlock_bh(&q->lock);
		} else if (READ_ONCE(q->inflight_count)) {
			farmem_arm_next(q);
		}
	}
	return done;
}

/*
 * Nothing there yet.  Newer soft-RoCE works in a workqueue: the worker
 * that our post woke may need this CPU, and the scheduler is in no hurry to let it run.
 * Next to an adapter that would cost a time slice where microseconds do.
 */
static void poll_relax(const struct farmem_queue *q)
{
	if (need_resched()) {
		cond_resched();
		return;
	}
	if (q->device->software)
		yield();
	/* The work may be that of the core's, or the emulator's, other thread. */
	cpu_relax();
}

/*
 * A poller that outlasted its budget, in vain or not, found a busy CPU or a slow link, and
 * the next poller may as well.  Some requests are left to the interrupt then: a task that
 * sleeps has a better claim to the CPU than one that yields it.
 */
static bool poll_worth_it(struct farmem_queue *q)
{
	unsigned int skip = READ_ONCE(q->poll_skip);

	if (likely(!skip))
		return true;
	/* Nobody minds if two do this at once. */
	WRITE_ONCE(q->poll_skip, skip - 1);
	return false;
}

static void poll_give_up(struct farmem_queue *q)
{
	spin_lock_bh(&q->lock);
	farmem_arm_next(q);
	spin_unlock_bh(&q->lock);
}

static void poll_for(struct farmem_queue *q, struct farmem_request *req)
{
	u64 budget = (u64)READ_ONCE(farmem_poll_budget_us) * NSEC_PER_USEC;
	u64 start = 0, now;

	if (unlikely(!poll_worth_it(q)))
		budget = 0;
	while (READ_ONCE(q->live)) {
		bool idle = !farmem_reap_completions(q, POLL_BATCH);

		if (READ_ONCE(req->poll.wait) == FARMEM_WAIT_DONE)
			break;
		now = local_clock();
		if (!start)
			start = now;
		if (now - start >= budget) {
			poll_give_up(q);
			break;
		}
		if (idle)
			poll_relax(q);
		else
			cond_resched();
	}
	if (start && budget && unlikely(local_clock() - start >= budget))
		WRITE_ONCE(q->poll_skip, POLL_SKIP);
}

/*
 * Do not poll for a request that may be parked and replayed while its queue lives: its
 * volume may be away while the session is live, and come back at any time.  Nor for a write
 * that may have to wait for another one of the same page states.
 */
static bool poll_may(struct farmem_queue *q, const struct farmem_request *req)
{
	unsigned int flags;

	/* What @open says is settled has set its flags. */
	if (!READ_ONCE(q->live) || !smp_load_acquire(&q->open))
		return false;
	flags = farmem_target_flags(req->target);
	return likely(!flags) ||
	       (req->op == FARMEM_OP_READ && !(flags & FARMEM_TARGET_GONE));
}

/* Return: whether to poll for it; if not, it is the interrupt's, or gone. */
static bool poll_post(struct farmem_queue *q, struct farmem_request *req)
{
	bool counted;

	/* An RCU section: a poller that saw the queue live is counted when it ends. */
	local_bh_disable();
	counted = poll_may(q, req);
	if (likely(counted))
		atomic_inc(&q->pollers);
	req->poll.on = counted;
	farmem_post_request(q, req);
	/* On 6.1 soft-RoCE does its work as this section ends. */
	local_bh_enable();
	return counted;
}

static void poll_finish(struct farmem_queue *q, struct farmem_request *req)
{
	poll_for(q, req);
	farmem_request_abandon(req);
	local_bh_disable();
	if (atomic_dec_and_test(&q->pollers) && unlikely(!READ_ONCE(q->live)))
		wake_up_var(&q->pollers);
	local_bh_enable();
}

void farmem_poll_request(struct farmem_queue *q, struct farmem_request *req)
{
	if (likely(poll_post(q, req)))
		poll_finish(q, req);
}

void farmem_poll_first(struct farmem_queue *q, struct farmem_request *req,
		       struct farmem_queue *behind, struct list_head *others)
{
	bool polled = poll_post(q, req);

	/* Requests of a session keep its queues: without any, @behind may be gone. */
	if (!list_empty(others))
		farmem_post_list(behind, others);
	if (likely(polled))
		poll_finish(q, req);
}
