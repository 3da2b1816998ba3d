// SPDX-License-Identifier: GPL-2.0
/*
 * test_queue_set.c - a session's queues come up and go down, while others report
 *
 * queue-set.c itself is compiled here, with as much of a session and of a queue as it
 * looks at, and what it calls below is a stub.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "explore.h"
#include "farmem-proto.h"
#include "queue-plan.h"

/* Of session.h, queue.h and their like. */
#define FARMEM_CONNECT_H
#define FARMEM_HEARTBEAT_H
#define FARMEM_RECOVERY_H
#define FARMEM_SESSION_H

#define CPUS 4
#define HZ 250
#define nr_cpu_ids CPUS
#define num_online_cpus() CPUS
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < CPUS; (cpu)++)

static unsigned long jiffies;

typedef struct mempool mempool_t;

struct farmem_device;
struct farmem_session;

struct farmem_queue {
	unsigned int index;
	enum farmem_connect_failure failed_at;
	bool given_up;
	bool live;
	unsigned long succeeded;
	struct farmem_session *session;
};

struct farmem_session {
	struct farmem_queue **map[FARMEM_QUEUE_TYPES];
	mempool_t *requests, *transfer_requests;
	const char *name;
	char reason[40];
	spinlock_t lock, state_lock;
	int abort_error;
	unsigned int queues_max, queue_count, queues_wanted;
	struct farmem_queue *queues;
	struct farmem_device *device;
	int device_user;
};

#define synchronize_rcu() shim_point("synchronize_rcu")
#define farmem_session_reason(s, err, text) ((void)(s), (err))
#define farmem_request_pool(n) ((mempool_t *)malloc(n))
#define mempool_destroy(pool) free(pool)
#define farmem_heartbeat_alloc(s) ((void)(s), 0)
#define farmem_device_put(device, user) ((void)(device), (void)(user))

static int farmem_connect_queue(struct farmem_session *s, struct farmem_queue *q);

static void farmem_queue_init(struct farmem_queue *q, struct farmem_session *s, unsigned int index)
{
	q->session = s;
	q->index = index;
}

static void farmem_queue_start(struct farmem_queue *q)
{
	WRITE_ONCE(q->live, true);
}

static void farmem_queue_stop(struct farmem_queue *q)
{
	WRITE_ONCE(q->live, false);
}

static void farmem_queue_drain(struct farmem_queue *q, unsigned long deadline)
{
	(void)q;
	(void)deadline;
	shim_point(__func__);
}

static void farmem_queue_destroy(struct farmem_queue *q)
{
	(void)q;
	shim_point(__func__);
}

static void farmem_control_destroy(struct farmem_session *s)
{
	(void)s;
}

static void farmem_disconnect_queue(struct farmem_queue *q)
{
	(void)q;
	shim_point(__func__);
}

static void farmem_part_queue(struct farmem_queue *q)
{
	(void)q;
}

static int farmem_control_hello(struct farmem_session *s)
{
	(void)s;
	return 0;
}

static bool farmem_recovery_unwanted(struct farmem_session *s)
{
	(void)s;
	return false;
}

unsigned int farmem_session_queue_cpu(const struct farmem_session *s, unsigned int index);

#include "../../../kernel/queue-set.c"

static struct farmem_session session;
/* How connecting the queue of this index ends, how often. */
static struct {
	unsigned int index;
	int err;
	enum farmem_connect_failure where;
	unsigned int times;
} fails;
static unsigned int connects;

static int farmem_connect_queue(struct farmem_session *s, struct farmem_queue *q)
{
	(void)s;
	connects++;
	q->given_up = false;
	if (q->index != fails.index || !fails.times)
		return 0;
	fails.times--;
	q->failed_at = fails.where;
	return fails.err;
}

static void make_session(void)
{
	memset(&session, 0, sizeof(session));
	session.name = "s";
	session.lock.held = 1;
	memset(&fails, 0, sizeof(fails));
	connects = 0;
}

/* As session.c does: the first failure counts. */
static void report(void *err)
{
	spin_lock_irq(&session.state_lock);
	if (!session.abort_error)
		session.abort_error = -(int)(intptr_t)err;
	spin_unlock_irq(&session.state_lock);
}

static void drop(void *nothing)
{
	struct farmem_queue q = { .index = 1 };

	(void)nothing;
	drop_queue(&session, &q);
	if (!q.given_up)
		explore_fault("what the queue itself reports would count");
}

static const char *noted(void)
{
	return session.abort_error == -ENODEV ? NULL : "the failure was swallowed";
}

/* The device goes, or the server does, while one queue is given up. */
static void test_failure_at_drop(void **state)
{
	struct explore e = {
		.setup = make_session,
		.thread = { drop, report },
		.argument = { NULL, (void *)(intptr_t)ENODEV },
		.check = noted,
	};

	(void)state;
	explore_all(&e);
}

static void fail_queue(unsigned int index, enum farmem_connect_failure where, int err,
		       unsigned int times)
{
	fails.index = index;
	fails.where = where;
	fails.err = err;
	fails.times = times;
}

static void expect_mapped(unsigned int count)
{
	unsigned int type, cpu;

	assert_int_equal(session.queue_count, count);
	for (type = 0; type < FARMEM_QUEUE_TYPES; type++)
		for (cpu = 0; cpu < CPUS; cpu++)
			assert_in_range(session.map[type][cpu] - session.queues, 0, count - 1);
}

static void test_fewer(void **state)
{
	(void)state;
	make_session();
	fail_queue(2, FARMEM_FAILED_CREATING, -EOVERFLOW, 1);
	assert_int_equal(farmem_queues_up(&session), 0);
	expect_mapped(2);
	assert_int_equal(connects, 3);
	farmem_queues_free(&session);
}

static void test_first_fails(void **state)
{
	(void)state;
	make_session();
	fail_queue(0, FARMEM_FAILED_CREATING, -EAGAIN, 1);
	assert_int_equal(farmem_queues_up(&session), -EAGAIN);
	assert_int_equal(connects, 1);
	farmem_queues_free(&session);
}

static void test_stale(void **state)
{
	(void)state;
	make_session();
	fail_queue(0, FARMEM_FAILED_STALE, -EAGAIN, 2);
	assert_int_equal(farmem_queues_up(&session), 0);
	assert_int_equal(connects, session.queue_count + 2);
	farmem_queues_free(&session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failure_at_drop),
		cmocka_unit_test(test_fewer),
		cmocka_unit_test(test_first_fails),
		cmocka_unit_test(test_stale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
