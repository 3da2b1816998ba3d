// SPDX-License-Identifier: GPL-2.0
/*
 * queue-set.c - the queues of a session: how many, which CPU uses which, how
 * they all come up and go down.
 */
#include <linux/slab.h>

#include "connect.h"
#include "fault.h"
#include "heartbeat.h"
#include "queue-set.h"
#include "recovery.h"
#include "session.h"

#define MIN_REQUESTS 64
#define FLUSH_TIMEOUT (2 * HZ)

static unsigned int wanted_queues(const struct farmem_session *s)
{
	unsigned int n = min_t(unsigned int,
			       FARMEM_QUEUE_TYPES * num_online_cpus(),
			       FARMEM_QUEUES_MAX);

	return s->queues_max ? min(s->queues_max, n) : n;
}

/* Every possible CPU has its place, so hotplug changes nothing. */
static void map_queues(struct farmem_session *s)
{
	unsigned int type, first, count, cpu;

	for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
		farmem_queue_range(s->queue_count, type, &first, &count);
		for_each_possible_cpu(cpu)
			WRITE_ONCE(s->map[type][cpu],
				   &s->queues[first + cpu % count]);
	}
}

unsigned int farmem_session_queue_cpu(const struct farmem_session *s,
				      unsigned int index)
{
	return farmem_queue_place(s->queue_count, index);
}

void farmem_queues_free(struct farmem_session *s)
{
	unsigned int type;

	for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
		kfree(s->map[type]);
		s->map[type] = NULL;
	}
	kvfree(s->queues);
	mempool_destroy(s->requests);
	mempool_destroy(s->transfer_requests);
	s->queues = NULL;
	s->requests = NULL;
	s->transfer_requests = NULL;
}

static bool alloc_maps(struct farmem_session *s)
{
	unsigned int type;

	for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
		s->map[type] = farmem_fault_alloc(kcalloc(nr_cpu_ids,
							  sizeof(*s->map[type]),
							  GFP_KERNEL));
		if (!s->map[type])
			return false;
	}
	return true;
}

static int alloc_queues(struct farmem_session *s)
{
	unsigned int i;

	s->queue_count = s->queues_wanted = wanted_queues(s);
	s->queues = farmem_fault_alloc(kvcalloc(s->queue_count,
						sizeof(*s->queues),
						GFP_KERNEL));
	s->requests = farmem_request_pool(MIN_REQUESTS);
	s->transfer_requests = farmem_request_pool(1);
	if (!s->queues || !s->requests || !s->transfer_requests ||
	    !alloc_maps(s) || farmem_heartbeat_alloc(s)) {
		farmem_queues_free(s);
		return farmem_session_reason(s, -ENOMEM, "no memory for queues");
	}
	for (i = 0; i < s->queue_count; i++)
		farmem_queue_init(&s->queues[i], s, i);
	return 0;
}

/* What the connections report from here on is our own doing, not a failure. */
static void ignore_reports(struct farmem_session *s)
{
	spin_lock_irq(&s->state_lock);
	if (!s->abort_error)
		WRITE_ONCE(s->abort_error, -ESHUTDOWN);
	spin_unlock_irq(&s->state_lock);
}

/*
 * Take every queue down, in the order that keeps the device off our pages:
 * no more posts and QPs to ERR; flushes, QPs destroyed, requests given back; then
 * what the connections leave behind, but for their goodbyes.
 */
void farmem_queues_down(struct farmem_session *s)
{
	unsigned long deadline = jiffies + FLUSH_TIMEOUT;
	unsigned int i, n = s->queues_wanted;

	lockdep_assert_held(&s->lock);
	if (!s->queues)
		return;

	ignore_reports(s);
	for (i = 0; i < n; i++)
		farmem_queue_stop(&s->queues[i]);
	/* Who saw a queue live has posted, or is counted among its pollers. */
	synchronize_rcu();
	for (i = 0; i < n; i++)
		farmem_queue_drain(&s->queues[i], deadline);
	/* irq_poll may still be on its way out of a handler, a poller of its wait. */
	synchronize_rcu();
	for (i = 0; i < n; i++)
		farmem_queue_destroy(&s->queues[i]);
	farmem_control_destroy(s);
	for (i = 0; i < n; i++)
		farmem_disconnect_queue(&s->queues[i]);
}

void farmem_queues_part(struct farmem_session *s)
{
	unsigned int i;

	lockdep_assert_held(&s->lock);
	if (!s->device)
		return;
	for (i = 0; i < s->queues_wanted; i++)
		farmem_part_queue(&s->queues[i]);
	farmem_device_put(s->device, &s->device_user);
	s->device = NULL;
}

/*
 * Undo what a failed farmem_connect_queue() left.  The session goes on: what others
 * report meanwhile counts, the device's removal among it.
 */
static void drop_queue(struct farmem_session *s, struct farmem_queue *q)
{
	WRITE_ONCE(q->given_up, true);
	farmem_queue_stop(q);
	synchronize_rcu();
	farmem_queue_drain(q, jiffies + FLUSH_TIMEOUT);
	synchronize_rcu();
	farmem_queue_destroy(q);
	if (!q->index)
		farmem_control_destroy(s);
	farmem_disconnect_queue(q);
}

/*
 * An attempt that meets a connection of an earlier life, which had the same queue
 * pair number, makes the server's CM forget it.  The next one's queue pair may have
 * the number of another of them: there are as many as that life had queues.
 */
static int connect_queue(struct farmem_session *s, struct farmem_queue *q,
			 enum farmem_queue_verdict *verdict)
{
	unsigned int left = s->queues_wanted;
	int err;

	for (;;) {
		err = farmem_connect_queue(s, q);
		if (!err)
			return 0;
		*verdict = farmem_queue_judge(q->index, q->failed_at, err);
		if (*verdict != FARMEM_QUEUE_AGAIN || !left--)
			return err;
		drop_queue(s, q);
		if (farmem_recovery_unwanted(s))
			return -EINTR;
	}
}

void farmem_queues_start(struct farmem_session *s)
{
	unsigned int i;

	lockdep_assert_held(&s->lock);
	for (i = 0; i < s->queue_count; i++)
		farmem_queue_start(&s->queues[i]);
}

bool farmem_queues_worked(const struct farmem_session *s)
{
	unsigned int i;

	for (i = 0; i < s->queue_count; i++)
		if (READ_ONCE(s->queues[i].succeeded))
			return true;
	return false;
}

/* Return: 0, -ENOSPC: the session goes on with those before it, or another error. */
static int add_queue(struct farmem_session *s, struct farmem_queue *q)
{
	enum farmem_queue_verdict verdict;
	int err;

	/* What interrupts an attempt may come between two queues. */
	if (farmem_recovery_unwanted(s))
		return -EINTR;
	err = connect_queue(s, q, &verdict);
	if (!err || verdict != FARMEM_QUEUE_FEWER)
		return err;
	drop_queue(s, q);
	pr_notice("session %s: %s; CPUs share %u queues\n", s->name, s->reason,
		  q->index);
	return -ENOSPC;
}

int farmem_queues_up(struct farmem_session *s)
{
	enum farmem_queue_verdict verdict;
	unsigned int i;
	int err;

	if (!s->queues) {
		err = alloc_queues(s);
		if (err)
			return err;
	}
	s->queue_count = s->queues_wanted;
	err = connect_queue(s, &s->queues[0], &verdict);
	if (!err)
		err = farmem_control_hello(s);
	if (err)
		return err;
	/* The answer to queue 0 may have lowered queue_count. */
	for (i = 1; i < s->queue_count; i++) {
		err = add_queue(s, &s->queues[i]);
		if (err == -ENOSPC) {
			s->queue_count = i;
			break;
		}
		if (err)
			return err;
	}
	map_queues(s);
	return 0;
}
