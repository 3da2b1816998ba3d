// SPDX-License-Identifier: GPL-2.0
/*
 * announce.c - a ring of states for each object, and one thread that tells them all.
 *
 * To note a state allocates nothing, and no thread that brings a session back waits until it
 * is told.  That is also why the workqueue has no rescuer (WQ_MEM_RECLAIM): no memory
 * comes back by it, and a rescuer would wait for the same mutex.
 */
#include "announce.h"

static struct workqueue_struct *announce_wq;

/* What does not fit joins the last one: each begins where the one before it ends. */
static void announce_note(struct farmem_announce *a, const char *was, const char *is)
{
	unsigned int last = a->tail - 1;

	lockdep_assert_held(&a->lock);
	if (a->tail - a->head == FARMEM_ANNOUNCE_ROOM) {
		a->ring[last % FARMEM_ANNOUNCE_ROOM].is = is;
		return;
	}
	a->ring[a->tail % FARMEM_ANNOUNCE_ROOM].was = was;
	a->ring[a->tail % FARMEM_ANNOUNCE_ROOM].is = is;
	a->tail++;
}

bool farmem_announce_next(struct farmem_announce *a, const char **was, const char **is)
{
	bool any;

	spin_lock_irq(&a->lock);
	any = a->head != a->tail;
	if (any) {
		*was = a->ring[a->head % FARMEM_ANNOUNCE_ROOM].was;
		*is = a->ring[a->head % FARMEM_ANNOUNCE_ROOM].is;
		a->head++;
	}
	spin_unlock_irq(&a->lock);
	return any;
}

void farmem_announce(struct farmem_announce *a, const char *was, const char *is)
{
	unsigned long flags;

	spin_lock_irqsave(&a->lock, flags);
	announce_note(a, was, is);
	spin_unlock_irqrestore(&a->lock, flags);
	queue_work(announce_wq, &a->work);
}

void farmem_announce_flush(struct farmem_announce *a)
{
	flush_work(&a->work);
}

void farmem_announce_init(struct farmem_announce *a, work_func_t work)
{
	spin_lock_init(&a->lock);
	a->head = a->tail = 0;
	INIT_WORK(&a->work, work);
}

int farmem_announce_start(void)
{
	announce_wq = alloc_ordered_workqueue("farmem_announce", 0);
	return announce_wq ? 0 : -ENOMEM;
}

void farmem_announce_end(void)
{
	destroy_workqueue(announce_wq);
}
