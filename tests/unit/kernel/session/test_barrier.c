// SPDX-License-Identifier: GPL-2.0
/* test_barrier.c - a token is said once on each queue, also where it could not be sent at first */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/spinlock.h>

/* Of post.h and session.h. */
#define FARMEM_POST_H
#define FARMEM_SESSION_H

#define QUEUES 3
#define GFP_NOWAIT 0

typedef u8 blk_status_t;

enum farmem_op { FARMEM_OP_READ, FARMEM_OP_BARRIER = 3 };

struct farmem_request;

struct farmem_request_ops {
	void (*done)(struct farmem_request *req, blk_status_t status);
};

struct farmem_target {
	unsigned int flags;
};

static const struct farmem_target farmem_target_ready;

struct farmem_request {
	const struct farmem_request_ops *ops;
	const struct farmem_target *target;
	void *private;
	u32 bytes;
	u8 op;
	struct {
		u32 token;
		bool signaled;
	} send;
};

struct farmem_queue {
	spinlock_t lock;
	unsigned long succeeded;
	u32 barrier;
	u32 said;		/* what it sent last */
	unsigned int sent;	/* how often */
	bool down;
};

struct farmem_session {
	int requests;		/* how many can be had */
	struct {
		struct farmem_queue *queues;
		unsigned int count;
	} set;
};

static struct farmem_request request;

static struct farmem_request *take(int *requests)
{
	request.bytes = 4096;
	return *requests ? (--*requests, &request) : NULL;
}

#define farmem_request_alloc(pool, gfp) take(&(pool))

static void farmem_post_request(struct farmem_queue *q, struct farmem_request *req)
{
	assert_int_equal(req->op, FARMEM_OP_BARRIER);
	assert_int_equal(req->bytes, 0);
	assert_ptr_equal(req->target, &farmem_target_ready);
	if (!q->down) {
		q->said = req->send.token;
		q->sent++;
		/* A chain has one completion. */
		req->send.signaled = q->sent % 2;
		q->succeeded += req->send.signaled;
	}
	req->ops->done(req, q->down);
}

#include "barrier.c"

static struct farmem_queue queues[QUEUES];
static struct farmem_session session;

static int begin(void **state)
{
	memset(queues, 0, sizeof(queues));
	session = (struct farmem_session){ .requests = 100 };
	session.set.queues = queues;
	session.set.count = QUEUES;
	return 0;
}

/* All queues have said @token, each as often as that. */
static void expect(u32 token, unsigned int times)
{
	unsigned int i;

	for (i = 0; i < QUEUES; i++) {
		assert_int_equal(queues[i].said, token);
		assert_int_equal(queues[i].sent, times);
		/* Of those that count for large packets. */
		assert_int_equal(queues[i].succeeded, 0);
	}
}

static void each_queue_says_it_once(void **state)
{
	farmem_barrier_say(&session, 0);
	expect(0, 0);
	farmem_barrier_say(&session, 5);
	farmem_barrier_say(&session, 5);
	expect(5, 1);
	farmem_barrier_say(&session, 0);
	farmem_barrier_say(&session, 9);
	expect(9, 2);
}

static void what_could_not_be_sent_comes_later(void **state)
{
	session.requests = 2;
	farmem_barrier_say(&session, 5);
	assert_int_equal(queues[2].sent, 0);
	session.requests = 100;
	queues[2].down = true;
	farmem_barrier_say(&session, 5);
	assert_int_equal(queues[2].sent, 0);
	queues[2].down = false;
	farmem_barrier_say(&session, 5);
	expect(5, 1);
}

/* It is connected anew: what its old queue pair said proves nothing of this one. */
static void a_queue_that_came_back_says_it_again(void **state)
{
	farmem_barrier_say(&session, 5);
	queues[1].barrier = 0;		/* queue.c:farmem_queue_start() */
	farmem_barrier_say(&session, 5);
	assert_int_equal(queues[0].sent, 1);
	assert_int_equal(queues[1].sent, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_queue_says_it_once, begin),
		cmocka_unit_test_setup(what_could_not_be_sent_comes_later, begin),
		cmocka_unit_test_setup(a_queue_that_came_back_says_it_again, begin),
	};

	return cmocka_run_group_tests_name("kernel_barrier", tests, NULL, NULL);
}
