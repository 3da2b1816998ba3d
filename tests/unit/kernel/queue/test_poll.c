// SPDX-License-Identifier: GPL-2.0
/*
 * test_poll.c - a poller, and the end of its request, on whichever thread that comes
 *
 * poll.c, reap.c and arm.c themselves are compiled here.  On the queue nothing completes but
 * what a test hands to the reaper: most is about what is done with a request beside it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "explore.h"

/* Of queue.h. */
#define FARMEM_ARM_H
#define FARMEM_POLL_H
#define FARMEM_POST_H
#define FARMEM_QUEUE_H
#define FARMEM_REAP_H
#define FARMEM_THROTTLE_H

#define NSEC_PER_USEC 1000
#define farmem_throttle_low(q) ((void)(q), 512u << 10)
#define FARMEM_WR_CONTROL 1ul
#define FARMEM_WR_CHAINED 2ul
#define FARMEM_WR_MARK 3ul
#define FARMEM_WR_TAGS 3ul
#define BLK_STS_OK 0
#define BLK_STS_TRANSPORT 1

typedef u8 blk_status_t;

enum farmem_op { FARMEM_OP_READ, FARMEM_OP_WRITE, FARMEM_OP_ZERO };
enum farmem_wait { FARMEM_WAIT_PENDING, FARMEM_WAIT_DONE, FARMEM_WAIT_ABANDONED };
enum ib_wc_status { IB_WC_SUCCESS, IB_WC_GENERAL_ERR };
enum ib_cq_notify_flags { IB_CQ_SOLICITED = 1, IB_CQ_NEXT_COMP = 2, IB_CQ_REPORT_MISSED_EVENTS = 4 };

struct ib_cq {
	bool next, weakened;
};

struct ib_wc {
	u64 wr_id;
	enum ib_wc_status status;
	u32 vendor_err;
};

struct irq_poll {
	int unused;
};

struct farmem_device {
	bool software;
};

#define FARMEM_TARGET_GONE 1u
#define FARMEM_TARGET_LOOK 2u

struct farmem_target {
	unsigned int flags;
};

#define farmem_target_flags(target) smp_load_acquire(&(target)->flags)

enum farmem_queue_large { FARMEM_LARGE_NONE, FARMEM_LARGE_WRITE, FARMEM_LARGE_READ };

struct farmem_queue;

struct farmem_queue_ops {
	void (*failed)(struct farmem_queue *q, int err, enum farmem_queue_large large,
		       const char *fmt, ...);
	void (*message)(struct farmem_queue *q, struct ib_wc *wc);
};

struct farmem_queue {
	const struct farmem_queue_ops *ops;
	struct farmem_device *device;
	unsigned int index;
	spinlock_t lock;
	bool live, open, sending;
	unsigned int credits, inflight_count, write_bytes;
	struct list_head inflight, waiting;
	unsigned long succeeded, armed;
	int room;
	struct ib_cq *cq;
	struct irq_poll iop;
	bool flushed;
	atomic_t pollers;
	unsigned int poll_skip;
};

struct farmem_request {
	struct list_head entry;
	const struct farmem_target *target;
	u32 bytes, meta_pages;
	u8 op;
	blk_status_t status;
	struct {
		bool on;
		int wait;
	} poll;
	struct {
		u8 wr_count;
		bool signaled;
	} send;
};

#define smp_mb__after_atomic() do { } while (0)
#define local_bh_disable() do { } while (0)
#define local_bh_enable() do { } while (0)
#define need_resched() false
#define yield() others_run()
#define cpu_relax() do { } while (0)
#define wq_has_sleeper(queue) ((void)(queue), false)
#define wake_up_all(queue) (++*(queue))
#define wake_up_var(var) ((void)(var))
#define irq_poll_sched(iop) ((void)(iop))
#define irq_poll_complete(iop) ((void)(iop))
#define ib_poll_cq(cq, n, wc) ((void)(cq), (void)(wc), note('?'), 0)
#define ib_wc_status_msg(status) ((void)(status), "")
#define farmem_plan_blames_mtu(status, bytes) ((status) && (bytes) >= 4096)
#define farmem_queue_counts(q) ((void)(q), true)
#define farmem_request_arrived(req) ((req) != never_came)
#define farmem_request_complete(req, status) (ended[ends_seen++ % 4] = (status), (void)(req))

struct farmem_request;
static struct farmem_request *never_came;
static blk_status_t ended[4];
static unsigned int ends_seen;
/* In which order: "r" a request was posted, "l" a list, "?" the CQ was looked at. */
static char order[8];

/* What becomes of the CPU that a poller yields. */
static void others_run(void);

static void note(char what)
{
	if (strlen(order) < sizeof(order) - 1)
		order[strlen(order)] = what;
}

/* As mlx5 does: what is asked for last counts. */
static int ib_req_notify_cq(struct ib_cq *cq, unsigned int flags)
{
	shim_point(__func__);
	if (flags & IB_CQ_SOLICITED)
		cq->weakened = cq->next;
	cq->next = flags & IB_CQ_NEXT_COMP;
	return 0;
}

static void farmem_post_request(struct farmem_queue *q, struct farmem_request *req);
static void farmem_post_list(struct farmem_queue *q, struct list_head *requests);
static void farmem_request_abandon(struct farmem_request *req);
static void farmem_post_waiting(struct farmem_queue *q, bool arm);

extern unsigned int farmem_poll_budget_us;
int farmem_reap_completions(struct farmem_queue *q, int budget);
void farmem_arm_next(struct farmem_queue *q);
void farmem_arm_solicited(struct farmem_queue *q);
void farmem_poll_event(struct ib_cq *cq, void *context);
int farmem_poll_irq(struct irq_poll *iop, int budget);
void farmem_poll_request(struct farmem_queue *q, struct farmem_request *req);
void farmem_poll_first(struct farmem_queue *q, struct farmem_request *req,
		       struct farmem_queue *behind, struct list_head *others);

#include "arm.c"
#include "reap.c"
#include "poll.c"

static struct farmem_target target;
static struct farmem_device device;
static struct farmem_queue queue;
static struct ib_cq cq;
static struct farmem_request request;
/* A volume's park: what is in it is under its lock. */
static spinlock_t park_lock;
static bool parked;
static unsigned int ends, frees;

#define FREED 99

static void free_request(struct farmem_request *req)
{
	frees++;
	req->poll.wait = FREED;
}

/* As request.c has it. */
static void finish(struct farmem_request *req)
{
	bool polled = req->poll.on;

	ends++;
	if (!polled || xchg(&req->poll.wait, FARMEM_WAIT_DONE) == FARMEM_WAIT_ABANDONED)
		free_request(req);
}

static void farmem_request_abandon(struct farmem_request *req)
{
	if (READ_ONCE(req->poll.wait) == FARMEM_WAIT_DONE ||
	    xchg(&req->poll.wait, FARMEM_WAIT_ABANDONED) == FARMEM_WAIT_DONE)
		free_request(req);
}

/* Of memory that is gone it is refused, and parked; else it is done at once. */
static void farmem_post_request(struct farmem_queue *q, struct farmem_request *req)
{
	(void)q;
	note('r');
	spin_lock(&park_lock);
	parked = READ_ONCE(target.flags) & FARMEM_TARGET_GONE;
	spin_unlock(&park_lock);
	if (!parked)
		finish(req);
}

static unsigned int others_run_us;

static void others_run(void)
{
	unsigned int n;

	for (n = 0; n < others_run_us; n++)
		local_clock();
	finish(&request);
}

static struct farmem_queue *listed_on;

static void farmem_post_list(struct farmem_queue *q, struct list_head *requests)
{
	note('l');
	listed_on = q;
	INIT_LIST_HEAD(requests);
}

static void begin(void)
{
	memset(order, 0, sizeof(order));
	listed_on = NULL;
	memset(&queue, 0, sizeof(queue));
	memset(&request, 0, sizeof(request));
	memset(&cq, 0, sizeof(cq));
	memset(&park_lock, 0, sizeof(park_lock));
	queue.device = &device;
	queue.cq = &cq;
	queue.live = queue.open = true;
	INIT_LIST_HEAD(&queue.inflight);
	INIT_LIST_HEAD(&queue.waiting);
	target.flags = FARMEM_TARGET_GONE;
	request.target = &target;
	parked = false;
	ends = frees = 0;
	farmem_poll_budget_us = 2;
}

/* The submitter saw it there before an outage, and waited for memory all the time. */
static void submit(void *op)
{
	request.op = (intptr_t)op;
	farmem_poll_request(&queue, &request);
}

/* As bring_back() and repost_lane() do, while the queue goes on. */
static void come_back(void *nothing)
{
	bool again;

	(void)nothing;
	spin_lock(&park_lock);
	WRITE_ONCE(target.flags, 0);
	again = parked;
	parked = false;
	spin_unlock(&park_lock);
	if (again) {
		request.poll.on = false;
		farmem_post_request(&queue, &request);
	}
}

static const char *once(void)
{
	if (ends != 1)
		return "the request did not end once";
	if (frees != 1)
		return "the request was not freed once";
	return request.poll.wait == FREED ? NULL : "the request was touched after it was free";
}

static void explore_return(enum farmem_op op)
{
	struct explore e = {
		.setup = begin,
		.thread = { submit, come_back },
		.argument = { (void *)(intptr_t)op },
		.check = once,
	};

	explore_all(&e);
}

static void test_read_of_a_volume_that_returns(void **state)
{
	(void)state;
	explore_return(FARMEM_OP_READ);
}

static void test_write_of_a_volume_that_returns(void **state)
{
	(void)state;
	explore_return(FARMEM_OP_WRITE);
}

/* Or nobody would be polled for. */
static void test_who_is_polled_for(void **state)
{
	(void)state;
	begin();
	target.flags = 0;
	submit((void *)FARMEM_OP_READ);
	assert_true(request.poll.on);
	assert_null(once());
	begin();
	target.flags = FARMEM_TARGET_LOOK;
	submit((void *)FARMEM_OP_WRITE);
	assert_false(request.poll.on);
	begin();
	target.flags = FARMEM_TARGET_LOOK;
	submit((void *)FARMEM_OP_READ);
	assert_true(request.poll.on);
	begin();
	submit((void *)FARMEM_OP_READ);
	assert_false(request.poll.on);
	assert_true(parked);
	begin();
	target.flags = 0;
	queue.open = false;
	submit((void *)FARMEM_OP_READ);
	assert_false(request.poll.on);
}

/* The others are under way by the time that the poller looks for its own. */
static void test_others_go_behind_the_first(void **state)
{
	struct farmem_request other = { .op = FARMEM_OP_READ };
	struct farmem_queue behind = { .live = true };
	LIST_HEAD(others);

	(void)state;
	begin();
	target.flags = 0;
	list_add(&other.entry, &others);
	farmem_poll_first(&queue, &request, &behind, &others);
	assert_string_equal(order, "rl?");
	assert_ptr_equal(listed_on, &behind);
	assert_null(once());
	/* Without any, their queue may be gone. */
	begin();
	target.flags = 0;
	farmem_poll_first(&queue, &request, &behind, &others);
	assert_string_equal(order, "r?");
	/* It is not polled for, and they go all the same. */
	begin();
	list_add(&other.entry, &others);
	farmem_poll_first(&queue, &request, &behind, &others);
	assert_string_equal(order, "rl");
}

static void give_up(void *nothing)
{
	(void)nothing;
	farmem_poll_budget_us = 0;
	poll_for(&queue, &request);
}

/* As a message is sent, and as irq_poll ends. */
static void listen_on(void *nothing)
{
	(void)nothing;
	spin_lock_bh(&queue.lock);
	farmem_arm_solicited(&queue);
	spin_unlock_bh(&queue.lock);
}

static const char *armed_in_full(void)
{
	if (cq.weakened || !cq.next)
		return "a poller that gave up is told of messages alone";
	return NULL;
}

/* Its request is over, by another reaper, and nothing else is in flight. */
static void test_poller_that_gives_up_is_told(void **state)
{
	struct explore e = {
		.setup = begin,
		.thread = { give_up, listen_on },
		.check = armed_in_full,
	};

	(void)state;
	explore_all(&e);
}

static unsigned int skipped_after(unsigned int us)
{
	begin();
	device.software = request.poll.on = true;
	farmem_poll_budget_us = 100;
	others_run_us = us;
	poll_for(&queue, &request);
	device.software = false;
	assert_int_equal(ends, 1);
	return queue.poll_skip;
}

/* It came, but others had the CPU for longer than the budget. */
static void test_busy_cpu_is_left_to_the_interrupt(void **state)
{
	(void)state;
	assert_int_equal(skipped_after(10), 0);
	assert_int_equal(skipped_after(200), POLL_SKIP);
}

static unsigned int credits;

static void farmem_post_waiting(struct farmem_queue *q, bool arm)
{
	(void)arm;
	for (; credits && !list_empty(&q->waiting); credits--)
		list_del(q->waiting.next);
}

static void reap_one(void)
{
	struct farmem_request *req = &request;
	struct ib_wc wc = { .wr_id = (uintptr_t)req, .status = IB_WC_SUCCESS };

	list_add(&req->entry, &queue.inflight);
	reap_handle(&queue, &wc, 1);
}

/* A read waits for the list alone, however much of writes there is. */
static void test_reads_that_wait_are_woken(void **state)
{
	struct farmem_request waiting[2];
	unsigned int i;

	(void)state;
	begin();
	queue.write_bytes = 600 * 1024;
	for (i = 0; i < 2; i++)
		list_add(&waiting[i].entry, &queue.waiting);
	credits = 1;
	reap_one();
	assert_int_equal(queue.room, 0);
	credits = 1;
	reap_one();
	assert_int_equal(queue.room, 1);
	reap_one();
	assert_int_equal(queue.room, 1);
}

static enum farmem_queue_large blamed;
static unsigned int failures;

static void failed(struct farmem_queue *q, int err, enum farmem_queue_large large,
		   const char *fmt, ...)
{
	(void)q;
	(void)err;
	(void)fmt;
	blamed = large;
	failures++;
}

static const struct farmem_queue_ops ops = { .failed = failed };

/* Three READs that are one work request: the last has the completion. */
static void reap_joined(struct farmem_request *req)
{
	struct ib_wc wc = { .wr_id = (uintptr_t)&req[2], .status = IB_WC_SUCCESS };
	unsigned int i;

	begin();
	queue.ops = &ops;
	failures = ends_seen = 0;
	for (i = 0; i < 3; i++) {
		req[i] = (struct farmem_request){ .op = FARMEM_OP_READ };
		req[i].send.signaled = i == 2;
		list_add_tail(&req[i].entry, &queue.inflight);
	}
	queue.inflight_count = 3;
	reap_handle(&queue, &wc, 1);
}

/* What soft-RoCE says of a READ that it ends too early. */
static void test_joined_reads_are_looked_at_one_by_one(void **state)
{
	struct farmem_request req[3];

	(void)state;
	reap_joined(req);
	assert_int_equal(ends_seen, 3);
	assert_int_equal(failures, 0);

	never_came = &req[1];
	reap_joined(req);
	assert_int_equal(failures, 1);
	assert_int_equal(ended[0], BLK_STS_OK);
	assert_int_equal(ended[1], BLK_STS_TRANSPORT);
	assert_int_equal(ended[2], BLK_STS_OK);

	/* The last one's success is none: it proves nothing. */
	never_came = &req[2];
	reap_joined(req);
	assert_int_equal(failures, 2);
	assert_int_equal(ends_seen, 1);
	assert_int_equal(ended[0], BLK_STS_TRANSPORT);
	assert_int_equal(queue.inflight_count, 2);
	never_came = NULL;
}

static void fail_chained(u64 req)
{
	struct ib_wc wc = {
		.wr_id = req | FARMEM_WR_CHAINED,
		.status = IB_WC_GENERAL_ERR,
	};

	queue.ops = &ops;
	failures = 0;
	blamed = FARMEM_LARGE_NONE;
	reap_handle(&queue, &wc, 1);
	assert_int_equal(failures, 1);
}

/* The flush behind it may have been handled, and the request freed, by another reaper. */
static void test_chained_error_of_what_is_over(void **state)
{
	struct farmem_request *req = calloc(1, sizeof(*req));
	u64 address = (uintptr_t)req;

	(void)state;
	begin();
	req->op = FARMEM_OP_WRITE;
	req->bytes = 65536;
	list_add(&req->entry, &queue.inflight);
	fail_chained(address);
	assert_int_equal(blamed, FARMEM_LARGE_WRITE);
	list_del(&req->entry);
	free(req);
	fail_chained(address);
	assert_int_equal(blamed, FARMEM_LARGE_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_of_a_volume_that_returns),
		cmocka_unit_test(test_write_of_a_volume_that_returns),
		cmocka_unit_test(test_who_is_polled_for),
		cmocka_unit_test(test_others_go_behind_the_first),
		cmocka_unit_test(test_poller_that_gives_up_is_told),
		cmocka_unit_test(test_busy_cpu_is_left_to_the_interrupt),
		cmocka_unit_test(test_reads_that_wait_are_woken),
		cmocka_unit_test(test_joined_reads_are_looked_at_one_by_one),
		cmocka_unit_test(test_chained_error_of_what_is_over),
	};

	return cmocka_run_group_tests_name("kernel_poll", tests, NULL, NULL);
}
