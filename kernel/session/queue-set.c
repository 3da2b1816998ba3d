// SPDX-License-Identifier: GPL-2.0
/*
 * queue-set.c - the queues of a session: how many, which CPU uses which, how
 * they all come up and go down.
 */
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "connect.h"
#include "fault.h"
#include "heartbeat.h"
#include "queue-set.h"
#include "session-key.h"
#include "session.h"
#include "wq.h"

/*
 * A heartbeat has two at most, a transfer one.  A barrier may have taken them: then the
 * transfer waits, and the heartbeat has its turn again.
 */
#define OWN_REQUESTS 3
#define FLUSH_TIMEOUT (2 * HZ)

#define GROW_DELAY_MOST (30ul * HZ)

static unsigned int queues_count(const struct farmem_session *s)
{
	unsigned int n = min_t(unsigned int,
			       FARMEM_QUEUE_TYPES * num_online_cpus(),
			       FARMEM_QUEUES_MAX);

	return s->config.queues_max ? min(s->config.queues_max, n) : n;
}

/*
 * The first @n are used from now on.  Every possible CPU has its place, so hotplug
 * changes nothing.  A queue has no type but by this map: while some are missing those
 * that are there serve others than they will.
 */
static void queues_use(struct farmem_session *s, unsigned int n)
{
	unsigned int type, first, count, cpu;

	WRITE_ONCE(s->set.count, n);
	for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
		farmem_plan_range(n, type, &first, &count);
		for_each_possible_cpu(cpu)
			WRITE_ONCE(s->set.map[type][cpu],
				   &s->set.queues[first + cpu % count]);
	}
}

void farmem_queues_free(struct farmem_session *s)
{
	unsigned int type;

	for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
		kfree(s->set.map[type]);
		s->set.map[type] = NULL;
	}
	kvfree(s->set.queues);
	mempool_destroy(s->requests);
	s->set.queues = NULL;
	s->requests = NULL;
}

/* How many large requests have succeeded since they started; all but heartbeats are that. */
static unsigned long queues_carried(const struct farmem_session *s, bool reads)
{
	unsigned int n = READ_ONCE(s->set.count), first, count;
	unsigned long done = 0;

	/* Those that are polled are the last. */
	farmem_plan_range(n, reads ? FARMEM_QUEUE_READ : FARMEM_QUEUE_WRITE, &first, &count);
	if (reads)
		count = n - first;
	for (; count; count--)
		done += READ_ONCE(s->set.queues[first++].succeeded);
	return done - atomic_read(&s->heartbeat.passed[reads]);
}

static void queues_failed(struct farmem_queue *q, int err, enum farmem_queue_large large,
			  const char *fmt, ...)
{
	struct farmem_session *s = q->session;
	struct va_format text = { .fmt = fmt };
	va_list args;

	va_start(args, fmt);
	text.va = &args;
	if (large && !queues_carried(s, large == FARMEM_LARGE_READ))
		farmem_session_fail(s, err,
				    "%pV: small packets pass, but no packet of %u bytes does: give both interfaces, and the switch, one MTU that carries such packets ('ip link show', 'ibv_devinfo')",
				    &text, q->mtu);
	else
		farmem_session_fail(s, err, "%pV", &text);
	va_end(args);
}

static void queues_message(struct farmem_queue *q, struct ib_wc *wc)
{
	farmem_control_arrived(q->session, wc);
}

static const struct farmem_queue_ops queue_ops = {
	.failed = queues_failed,
	.message = queues_message,
};

static bool queues_alloc_maps(struct farmem_session *s)
{
	unsigned int type;

	for (type = 0; type < FARMEM_QUEUE_TYPES; type++) {
		s->set.map[type] = farmem_fault_alloc(kcalloc(nr_cpu_ids,
							      sizeof(*s->set.map[type]),
							      GFP_KERNEL));
		if (!s->set.map[type])
			return false;
	}
	return true;
}

static int queues_alloc(struct farmem_session *s)
{
	unsigned int i;

	s->set.wanted = queues_count(s);
	s->set.queues = farmem_fault_alloc(kvcalloc(s->set.wanted,
						    sizeof(*s->set.queues),
						    GFP_KERNEL));
	s->requests = farmem_request_pool(OWN_REQUESTS, GFP_KERNEL);
	if (!s->set.queues || !s->requests || !queues_alloc_maps(s) || farmem_heartbeat_alloc(s)) {
		farmem_queues_free(s);
		return farmem_session_reason(s, -ENOMEM, "no memory for queues");
	}
	for (i = 0; i < s->set.wanted; i++)
		farmem_queue_init(&s->set.queues[i], s, &queue_ops, i);
	return 0;
}

/*
 * Take @n queues down, in the order that keeps the device off our pages:
 * no more posts and QPs to ERR; flushes, QPs destroyed, requests given back; then
 * what the connections leave behind, but for their goodbyes.
 */
static void queues_down(struct farmem_session *s, unsigned int first, unsigned int n)
{
	struct farmem_queue *q, *begin = &s->set.queues[first], *end = begin + n;
	unsigned long deadline = jiffies + FLUSH_TIMEOUT;

	for (q = begin; q < end; q++)
		farmem_queue_stop(q);
	/* A submitter that saw a queue live has posted, or is counted among its pollers. */
	synchronize_rcu();
	for (q = begin; q < end; q++)
		farmem_queue_drain(q, deadline);
	/* irq_poll may still be on its way out of a handler, a poller of its wait. */
	synchronize_rcu();
	for (q = begin; q < end; q++)
		farmem_queue_destroy(q);
	if (!first)
		farmem_control_destroy(s);
	for (q = begin; q < end; q++)
		farmem_connect_detach(q);
}

void farmem_queues_down(struct farmem_session *s)
{
	lockdep_assert_held(&s->lock);
	if (!s->set.queues)
		return;

	farmem_session_ignore_reports(s, -ESHUTDOWN);
	queues_down(s, 0, s->set.wanted);
}

void farmem_queues_disconnect(struct farmem_session *s)
{
	unsigned int i;

	lockdep_assert_held(&s->lock);
	if (!s->link.device)
		return;
	for (i = 0; i < s->set.wanted; i++)
		farmem_connect_disconnect(&s->set.queues[i]);
	farmem_device_put(s->link.device, &s->link.device_user);
	s->link.device = NULL;
}

/*
 * Undo what a failed queues_connect_once() left.  The session goes on: what others
 * report meanwhile counts, the device's removal among it.
 */
static void queues_drop(struct farmem_session *s, struct farmem_queue *q)
{
	WRITE_ONCE(q->given_up, true);
	queues_down(s, q->index, 1);
}

static int queues_connect_once(struct farmem_session *s, struct farmem_queue *q)
{
	int err = farmem_connect_resolve(s, q);

	if (err)
		return err;
	/* There is a route again: the connections before can be ended. */
	if (!q->index)
		farmem_queues_disconnect(s);
	return farmem_connect_establish(s, q);
}

/*
 * An attempt that meets a connection of an earlier life, which had the same queue
 * pair number, makes the server's CM forget it.  The next one's queue pair may have
 * the number of another of them: there are as many as that life had queues.
 */
static int queues_connect(struct farmem_session *s, struct farmem_queue *q,
			  enum farmem_queue_verdict *verdict)
{
	unsigned int left = s->set.wanted;
	int err;

	for (;;) {
		err = queues_connect_once(s, q);
		if (!err)
			return 0;
		*verdict = farmem_plan_judge(q->index, q->failed_at, err);
		if (*verdict != FARMEM_QUEUE_AGAIN || !left--)
			return err;
		queues_drop(s, q);
		if (farmem_session_lock_contended(s))
			return -EINTR;
		/* Many in a row take as long as one that is not answered, and no longer. */
		if (time_after(jiffies, s->deadline) && !farmem_session_extend(s))
			return err;
	}
}

void farmem_queues_start(struct farmem_session *s)
{
	unsigned int i;

	lockdep_assert_held(&s->lock);
	for (i = 0; i < s->set.count; i++)
		farmem_queue_start(&s->set.queues[i], farmem_heartbeat_patience(s));
}

bool farmem_queues_worked(const struct farmem_session *s)
{
	unsigned int i;

	for (i = 0; i < READ_ONCE(s->set.count); i++)
		if (READ_ONCE(s->set.queues[i].succeeded))
			return true;
	return false;
}

/* It can't be had: the session goes on with those before it. */
static void queues_do_without(struct farmem_session *s, struct farmem_queue *q)
{
	queues_drop(s, q);
	pr_notice("session %s: %s; CPUs share %u queues\n", s->name, s->reason,
		  q->index);
	s->set.granted = q->index;
}

/*
 * Only one of each type: a server that has just been started has all its clients
 * connecting at once, one event loop for them, and their I/O has a deadline.
 */
int farmem_queues_up(struct farmem_session *s)
{
	enum farmem_queue_verdict verdict;
	unsigned int i;
	int err;

	if (!s->set.queues) {
		err = queues_alloc(s);
		if (err)
			return err;
	}
	s->set.granted = s->set.wanted;
	farmem_session_key_use(s);
	err = queues_connect(s, &s->set.queues[0], &verdict);
	if (!err)
		err = farmem_control_hello(s);
	if (err) {
		farmem_session_unclaim(s);
		return err;
	}
	/* The answer to queue 0 may have lowered queues_granted. */
	for (i = 1; i < min_t(unsigned int, s->set.granted, FARMEM_QUEUE_TYPES); i++) {
		/* What interrupts an attempt may come between two queues. */
		if (farmem_session_lock_contended(s))
			return -EINTR;
		err = queues_connect(s, &s->set.queues[i], &verdict);
		if (err && verdict != FARMEM_QUEUE_FEWER)
			return err;
		if (err)
			queues_do_without(s, &s->set.queues[i]);
	}
	queues_use(s, min_t(unsigned int, s->set.granted, FARMEM_QUEUE_TYPES));
	s->set.grow_delay = 0;
	return 0;
}

static int queues_connect_missing(struct farmem_session *s, struct farmem_queue *q,
				  enum farmem_queue_verdict *verdict)
{
	int err;

	s->set.growing = true;
	s->deadline = jiffies + FARMEM_SESSION_PATIENCE;
	s->set.grow_until = jiffies + s->config.connect_timeout * HZ;
	err = queues_connect(s, q, verdict);
	s->set.growing = false;
	return err;
}

/* Not at once again: a server that is busy, or a fabric that loses messages. */
static void queues_try_later(struct farmem_session *s, struct farmem_queue *q, int err)
{
	queues_drop(s, q);
	farmem_connect_disconnect(q);
	if (!s->set.grow_delay)
		pr_notice("session %s: queue %u of %u: %s (%d); CPUs share %u queues until that queue connects\n",
			  s->name, q->index, s->set.granted, s->reason, err,
			  q->index);
	s->set.grow_delay = clamp(2 * s->set.grow_delay, 1ul * HZ, GROW_DELAY_MOST);
}

static void queues_add(struct farmem_session *s, struct farmem_queue *q)
{
	enum farmem_queue_verdict verdict = FARMEM_QUEUE_FAIL;
	int err;

	err = queues_connect_missing(s, q, &verdict);
	/* What there is of it goes with the others. */
	if (!farmem_session_live(s))
		return;
	if (!err) {
		/* A submitter that finds it in the map may post there. */
		farmem_queue_start(q, farmem_heartbeat_patience(s));
		farmem_queue_open(q);
		queues_use(s, q->index + 1);
		s->set.grow_delay = 0;
	} else if (verdict == FARMEM_QUEUE_FEWER) {
		queues_do_without(s, q);
	} else {
		queues_try_later(s, q, err);
	}
	if (err)
		farmem_session_forget_reason(s);
	else if (s->set.count == s->set.granted)
		pr_info("session %s: all %u queues are connected\n", s->name,
			s->set.count);
}

int farmem_queues_go_live(struct farmem_session *s)
{
	enum farmem_session_state old = s->state;
	unsigned int i;
	int err;

	/* Before its users send what has waited. */
	for (i = 0; i < s->set.count; i++)
		farmem_queue_open(&s->set.queues[i]);
	err = farmem_session_become_live(s);
	if (err)
		return err;
	farmem_heartbeat_start(s);
	farmem_queues_grow(s);
	farmem_session_announce(s, old, FARMEM_SESSION_LIVE);
	return 0;
}

void farmem_queues_grow(struct farmem_session *s)
{
	lockdep_assert_held(&s->lock);
	if (s->set.count < s->set.granted)
		mod_delayed_work(farmem_grow_wq, &s->set.grow_work, s->set.grow_delay);
}

/* One at a time, so that a thread that wants the session comes in between. */
static void queues_grow_work(struct work_struct *work)
{
	struct farmem_session *s = container_of(to_delayed_work(work),
						struct farmem_session, set.grow_work);
	unsigned int noio = memalloc_noio_save();

	mutex_lock(&s->lock);
	if (farmem_session_live(s) && s->set.count < s->set.granted) {
		queues_add(s, &s->set.queues[s->set.count]);
		farmem_queues_grow(s);
	}
	mutex_unlock(&s->lock);
	memalloc_noio_restore(noio);
}

void farmem_queues_init(struct farmem_session *s)
{
	INIT_DELAYED_WORK(&s->set.grow_work, queues_grow_work);
}
