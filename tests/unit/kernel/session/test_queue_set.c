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

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "explore.h"
#include "farmem-proto.h"
#include "plan.h"

#include "queue-set-bed.h"
#include "../../../../kernel/session/queue-set.c"

static struct farmem_session session;
/* How connecting the queue of this index ends, how often. */
static struct {
	unsigned int index;
	int err;
	enum farmem_connect_failure where;
	unsigned int times;
} fails;
static unsigned int connects;
static unsigned long connect_takes;
/* It fails, and its recovery begins, while that queue is connected. */
static unsigned int session_fails_at;
/* With which key the last one was asked for. */
static int asked_with;

static int farmem_connect_resolve(struct farmem_session *s, struct farmem_queue *q)
{
	connects++;
	jiffies += connect_takes;
	asked_with = s->key;
	q->given_up = false;
	if (session_fails_at && q->index == session_fails_at)
		s->live = false;
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
	session.config.connect_timeout = 20;
	session.deadline = jiffies + 20 * HZ;
	session.lock.held = 1;
	memset(&fails, 0, sizeof(fails));
	connects = session_fails_at = 0;
	connect_takes = 0;
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
	struct farmem_queue queues[2] = { { .index = 0 }, { .index = 1 } };

	(void)nothing;
	session.set.queues = queues;
	queues_drop(&session, &queues[1]);
	session.set.queues = NULL;
	if (!queues[1].given_up || queues[0].given_up)
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

	assert_int_equal(session.set.count, count);
	for (type = 0; type < FARMEM_QUEUE_TYPES; type++)
		for (cpu = 0; cpu < CPUS; cpu++)
			assert_in_range(session.set.map[type][cpu] - session.set.queues, 0, count - 1);
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

/* What answers at its address, and does not welcome it, is not its server. */
static void test_unwelcome(void **state)
{
	(void)state;
	make_session();
	unclaims = 0;
	hello_error = -EACCES;
	assert_int_equal(farmem_queues_up(&session), -EACCES);
	hello_error = 0;
	assert_int_equal(unclaims, 1);
	assert_int_equal(connects, 1);
	assert_int_equal(farmem_queues_up(&session), 0);
	assert_int_equal(unclaims, 1);
	farmem_queues_free(&session);
}

static void test_stale(void **state)
{
	(void)state;
	make_session();
	fail_queue(0, FARMEM_FAILED_STALE, -EAGAIN, 2);
	assert_int_equal(farmem_queues_up(&session), 0);
	expect_mapped(3);
	assert_int_equal(connects, 3 + 2);
	farmem_queues_free(&session);
}

/* As a power-on does it: one of each type is there, and takes requests. */
static void go_live(void)
{
	make_session();
	assert_int_equal(farmem_queues_up(&session), 0);
	farmem_queues_start(&session);
	assert_int_equal(farmem_queues_go_live(&session), 0);
	session.lock.held = 0;
}

/* Return: false when no more is to come. */
static bool grow(void)
{
	unsigned int asked = session.set.grow_work.asked;

	queues_grow_work(&session.set.grow_work.work);
	return session.set.grow_work.asked > asked;
}

static void test_one_of_each(void **state)
{
	(void)state;
	go_live();
	expect_mapped(3);
	assert_int_equal(connects, 3);
	assert_int_equal(session.set.grow_work.asked, 1);
	assert_ptr_not_equal(session.set.map[FARMEM_QUEUE_WRITE][0], session.set.map[FARMEM_QUEUE_READ][0]);
	assert_ptr_not_equal(session.set.map[FARMEM_QUEUE_READ][0], session.set.map[FARMEM_QUEUE_POLL][0]);
	farmem_queues_free(&session);
}

static void test_others_follow(void **state)
{
	unsigned int n;

	(void)state;
	go_live();
	for (n = 4; n < 3 * CPUS; n++) {
		assert_true(grow());
		expect_mapped(n);
		assert_int_equal(session.set.grow_work.delay, 0);
	}
	assert_false(grow());
	expect_mapped(3 * CPUS);
	assert_false(grow());
	assert_int_equal(connects, 3 * CPUS);
	farmem_queues_free(&session);
}

/* The server knows those of a session by the key that the session came up with. */
static void test_key_set_meanwhile(void **state)
{
	(void)state;
	go_live();
	session.next_key = 1;
	assert_true(grow());
	assert_int_equal(asked_with, 0);
	spin_lock(&session.lock);
	session.live = false;
	assert_int_equal(farmem_queues_up(&session), 0);
	assert_int_equal(asked_with, 1);
	farmem_queues_free(&session);
}

/* The session goes on, tries again later, and later still. */
static void test_missing_queue(void **state)
{
	(void)state;
	go_live();
	fail_queue(3, FARMEM_FAILED_CONNECTING, -ETIMEDOUT, 2);
	assert_true(grow());
	expect_mapped(3);
	assert_int_equal(session.set.grow_work.delay, HZ);
	assert_true(grow());
	assert_int_equal(session.set.grow_work.delay, 2 * HZ);
	assert_true(grow());
	expect_mapped(4);
	assert_int_equal(session.set.grow_work.delay, 0);
	assert_int_equal(session.abort_error, 0);
	farmem_queues_free(&session);
}

static void test_no_more_queues(void **state)
{
	(void)state;
	go_live();
	fail_queue(5, FARMEM_FAILED_CREATING, -EOVERFLOW, 1);
	assert_true(grow());
	assert_true(grow());
	assert_false(grow());
	expect_mapped(5);
	assert_false(grow());
	assert_int_equal(connects, 6);
	farmem_queues_free(&session);
}

/* What is there of the queue stays for farmem_queues_down(), and takes no request. */
static void test_session_fails_meanwhile(void **state)
{
	(void)state;
	go_live();
	session_fails_at = 3;
	grow();
	expect_mapped(3);
	assert_false(session.set.queues[3].live);
	assert_false(session.set.queues[3].given_up);
	farmem_queues_free(&session);
}

/* Each of an earlier life's connections is in the way once, and others want the session. */
static void test_patience_with_stale(void **state)
{
	(void)state;
	go_live();
	fail_queue(3, FARMEM_FAILED_STALE, -EAGAIN, 1000);
	connect_takes = HZ / 25;
	session.set.wanted = 1000;
	atomic_set(&session.lock_awaited, 1);
	assert_true(grow());
	assert_in_range(connects, 3 + 25, 3 + 27);
	expect_mapped(3);
	atomic_set(&session.lock_awaited, 0);
	connects = 0;
	assert_true(grow());
	assert_in_range(connects, 20 * 25, 22 * 25);
	assert_int_equal(session.abort_error, 0);
	session.set.wanted = 3 * CPUS;
	farmem_queues_free(&session);
}

/* So it is with the first one, which has its deadline. */
static void test_stale_beyond_deadline(void **state)
{
	(void)state;
	make_session();
	fail_queue(1, FARMEM_FAILED_STALE, -EAGAIN, 1000);
	connect_takes = 3 * HZ;
	assert_int_equal(farmem_queues_up(&session), -EAGAIN);
	assert_in_range(connects, 7, 9);
	farmem_queues_free(&session);
}

static bool blames_mtu(enum farmem_queue_large large)
{
	queues_failed(&session.set.queues[0], -EIO, large, "queue 0: an error");
	return strstr(failed_for, "small packets pass");
}

/* Heartbeats are small, and count as requests. */
static void test_mtu_blamed(void **state)
{
	(void)state;
	go_live();
	assert_false(blames_mtu(FARMEM_LARGE_NONE));
	assert_true(blames_mtu(FARMEM_LARGE_READ));
	assert_true(blames_mtu(FARMEM_LARGE_WRITE));
	session.set.queues[2].succeeded = 5;
	atomic_set(&session.heartbeat.passed[true], 5);
	assert_true(blames_mtu(FARMEM_LARGE_READ));
	session.set.queues[2].succeeded = 6;
	assert_false(blames_mtu(FARMEM_LARGE_READ));
	assert_true(blames_mtu(FARMEM_LARGE_WRITE));
	session.set.queues[0].succeeded = 1;
	assert_false(blames_mtu(FARMEM_LARGE_WRITE));
	farmem_queues_free(&session);
}

static void add_one(void *nothing)
{
	(void)nothing;
	queues_grow_work(&session.set.grow_work.work);
}

/* A submitter looks the queue up, and posts there if it is live. */
static void submit(void *type)
{
	struct farmem_queue *q = READ_ONCE(session.set.map[(intptr_t)type][1]);

	if (!READ_ONCE(q->live))
		explore_fault("a queue is used before it takes requests");
}

static const char *grown(void)
{
	const char *fault = session.set.count == 4 ? NULL : "the queue was not added";

	farmem_queues_free(&session);
	return fault;
}

static void test_published_live(void **state)
{
	struct explore e = {
		.setup = go_live,
		.thread = { add_one, submit, submit },
		.argument = { NULL, (void *)FARMEM_QUEUE_WRITE, (void *)FARMEM_QUEUE_POLL },
		.check = grown,
		.preemptions = 3,
	};

	(void)state;
	explore_all(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failure_at_drop),
		cmocka_unit_test(test_fewer),
		cmocka_unit_test(test_first_fails),
		cmocka_unit_test(test_unwelcome),
		cmocka_unit_test(test_stale),
		cmocka_unit_test(test_one_of_each),
		cmocka_unit_test(test_others_follow),
		cmocka_unit_test(test_key_set_meanwhile),
		cmocka_unit_test(test_missing_queue),
		cmocka_unit_test(test_no_more_queues),
		cmocka_unit_test(test_session_fails_meanwhile),
		cmocka_unit_test(test_patience_with_stale),
		cmocka_unit_test(test_stale_beyond_deadline),
		cmocka_unit_test(test_mtu_blamed),
		cmocka_unit_test(test_published_live),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
