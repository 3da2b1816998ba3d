// SPDX-License-Identifier: GPL-2.0
/*
 * test_post.c - what is posted, and as what; what cannot be posted: tried again, for how
 * long, and what is given up
 *
 * post.c itself is compiled here, with as much of a queue and of a request as it looks
 * at.  The adapter takes what it is given; the test ends it.
 */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/spinlock.h>

#include "farmem-proto.h"

/* Of queue.h, session.h and their like. */
#define FARMEM_ARM_H
#define FARMEM_POLL_H
#define FARMEM_QUEUE_H
#define FARMEM_REAP_H
#define FARMEM_SESSION_H
#define FARMEM_WQ_H

#define HZ 250
#define PATIENCE (19 * HZ)
#define FARMEM_WR_CHAINED 2ul
#define BLK_STS_OK 0
#define BLK_STS_TRANSPORT 1
#define IB_SEND_SIGNALED 1

typedef u8 blk_status_t;

enum farmem_op { FARMEM_OP_READ, FARMEM_OP_WRITE, FARMEM_OP_ZERO, FARMEM_OP_BARRIER };
enum { IB_WR_RDMA_READ, IB_WR_RDMA_WRITE, IB_WR_SEND_WITH_IMM };

struct ib_sge {
	u64 addr;
	u32 length, lkey;
};

struct ib_send_wr {
	struct ib_send_wr *next;
	u64 wr_id;
	struct ib_sge *sg_list;
	int num_sge, opcode, send_flags;
	struct {
		__be32 imm_data;
	} ex;
};

struct ib_rdma_wr {
	struct ib_send_wr wr;
	u64 remote_addr;
	u32 rkey;
};

struct ib_pd {
	u32 local_dma_lkey;
};

struct farmem_device {
	struct ib_pd *pd;
	u64 zero_dma, data_dma;
	u32 max_sge;
};

struct farmem_session {
	int error;
};

struct delayed_work {
	unsigned long at;
	bool pending;
};

enum farmem_queue_large { FARMEM_LARGE_NONE, FARMEM_LARGE_WRITE, FARMEM_LARGE_READ };

struct farmem_queue;

struct farmem_queue_ops {
	void (*failed)(struct farmem_queue *q, int err, enum farmem_queue_large large,
		       const char *fmt, ...);
};

struct farmem_queue {
	const struct farmem_queue_ops *ops;
	bool open;
	unsigned long patience;
	struct farmem_session *session;
	struct farmem_device *device;
	unsigned int index;
	spinlock_t lock;
	bool live, stalled;
	unsigned int credits, inflight_count, write_bytes;
	struct list_head inflight, waiting, hopeless;
	unsigned long stalled_since;
	void *qp;
	struct delayed_work retry;
};

#define FARMEM_TARGET_GONE 1u
#define FARMEM_TARGET_LOOK 2u

struct farmem_target {
	unsigned int flags;
};

#define farmem_target_flags(target) smp_load_acquire(&(target)->flags)

enum farmem_posting { FARMEM_POST_NOW, FARMEM_POST_REFUSED, FARMEM_POST_LATER };

struct farmem_request;

struct farmem_request_ops {
	enum farmem_posting (*prepare)(struct farmem_request *req);
	bool (*park)(struct farmem_request *req);
};

struct farmem_request {
	struct list_head entry;
	struct farmem_queue *queue;
	const struct farmem_request_ops *ops;
	const struct farmem_target *target;
	u32 bytes, meta_pages;
	const struct farmem_extent *extent;
	u64 within;
	u8 op;
	bool delayed;
	struct {
		bool on;
	} poll;
	struct {
		u8 sge_count, wr_count;
		bool mapped, signaled;
		u32 token;
		struct ib_sge sge[32], meta_sge;
		struct ib_rdma_wr wr, meta_wr;
	} send;
	int mapping;	/* what mapping it says */
};

static unsigned long jiffies;
static void *farmem_wq;

#define time_after(a, b) ((long)((b) - (a)) < 0)
#define msecs_to_jiffies(ms) ((ms) * HZ / 1000)
#define local_bh_disable() do { } while (0)
#define local_bh_enable() do { } while (0)
#define list_for_each_entry_reverse(at, head, member) \
	for (at = list_last_entry(head, __typeof__(*at), member); &at->member != (head); \
	     at = list_entry(at->member.prev, __typeof__(*at), member))
#define mod_delayed_work(wq, work, delay) \
	((void)(wq), (work)->at = jiffies + (delay), (work)->pending = true)

static unsigned int armed;

#define farmem_arm_next(q) ((void)(q), armed++)

static void list_cut_before(struct list_head *list, struct list_head *head,
			    struct list_head *entry)
{
	INIT_LIST_HEAD(list);
	while (head->next != entry)
		list_move_tail(head->next, list);
}

/* What was posted last, and what the driver said. */
static const struct ib_send_wr *posted;
static int send_error;

static int ib_post_send(void *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	(void)qp;
	(void)bad;
	posted = wr;
	return send_error;
}

static int farmem_request_map(struct farmem_request *req, struct farmem_device *device)
{
	(void)device;
	req->send.mapped = !req->mapping;
	return req->mapping;
}

/* Of a queue that is live, and open, nothing is over in post.c. */
static unsigned int given_back;

static void farmem_request_complete(struct farmem_request *req, blk_status_t status)
{
	(void)req;
	assert_int_equal(status, BLK_STS_TRANSPORT);
	given_back++;
}

#include "post.c"

static struct farmem_session session;
static struct farmem_queue queue;
static struct farmem_target target;
static struct ib_pd pd;
static struct farmem_device device = { .pd = &pd, .max_sge = 32 };
static struct farmem_extent extent;
static struct farmem_request requests[4];

static void failed(struct farmem_queue *q, int err, enum farmem_queue_large large,
		   const char *fmt, ...)
{
	(void)large;
	(void)fmt;
	q->session->error = q->session->error ?: err;
}

static const struct farmem_queue_ops ops = { .failed = failed };

static bool parks(struct farmem_request *req)
{
	(void)req;
	return true;
}

static enum farmem_posting posting;

/* What waits is off its list. */
static enum farmem_posting prepare_volumes(struct farmem_request *req)
{
	if (posting == FARMEM_POST_LATER)
		list_del(&req->entry);
	return posting;
}

static const struct farmem_request_ops volume_ops = { .prepare = prepare_volumes, .park = parks };
static const struct farmem_request_ops transfer_ops;

static int begin(void **state)
{
	unsigned int i;

	(void)state;
	given_back = target.flags = 0;
	send_error = 0;
	armed = 0;
	memset(&session, 0, sizeof(session));
	memset(&queue, 0, sizeof(queue));
	memset(requests, 0, sizeof(requests));
	queue.session = &session;
	queue.device = &device;
	queue.ops = &ops;
	queue.patience = PATIENCE;
	queue.live = queue.open = true;
	queue.credits = 128;
	INIT_LIST_HEAD(&queue.inflight);
	INIT_LIST_HEAD(&queue.waiting);
	INIT_LIST_HEAD(&queue.hopeless);
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		requests[i].op = FARMEM_OP_WRITE;
		requests[i].bytes = 4096;
		requests[i].extent = &extent;
		requests[i].ops = &transfer_ops;
		requests[i].target = &target;
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	assert_int_equal(given_back, 0);
	return 0;
}

static void post(unsigned int i, int mapping)
{
	requests[i].mapping = mapping;
	farmem_post_request(&queue, &requests[i]);
}

/* As retry_work() does, each time that it was asked to, for so long. */
static void let_pass(unsigned long time)
{
	unsigned long end = jiffies + time;

	while (queue.retry.pending && !time_after(queue.retry.at, end)) {
		queue.retry.pending = false;
		jiffies = queue.retry.at;
		spin_lock(&queue.lock);
		farmem_post_waiting(&queue, true);
		spin_unlock(&queue.lock);
	}
	jiffies = end;
}

/* Its completion, as reap.c handles it. */
static void end_oldest(void)
{
	list_del(queue.inflight.next);
	queue.inflight_count--;
	spin_lock(&queue.lock);
	farmem_post_waiting(&queue, true);
	spin_unlock(&queue.lock);
}

/* Page states are not settled yet; a transfer, which does not park, settles them. */
static void volumes_wait_until_it_is_open(void **state)
{
	(void)state;
	queue.open = false;
	requests[0].ops = &volume_ops;
	post(0, 0);
	assert_int_equal(given_back, 1);
	post(1, 0);
	assert_int_equal(queue.inflight_count, 1);
	queue.open = true;
	post(0, 0);
	assert_int_equal(queue.inflight_count, 2);
	assert_int_equal(given_back, 1);
}

static void what_has_flags_is_prepared(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(requests); i++)
		requests[i].ops = &volume_ops;
	posting = FARMEM_POST_REFUSED;
	post(0, 0);
	assert_int_equal(queue.inflight_count, 1);
	target.flags = FARMEM_TARGET_LOOK;
	post(1, 0);
	assert_int_equal(given_back, 1);
	posting = FARMEM_POST_LATER;
	post(1, 0);
	assert_int_equal(given_back, 1);
	assert_int_equal(queue.write_bytes, requests[0].bytes);
	posting = FARMEM_POST_NOW;
	post(2, 0);
	assert_int_equal(queue.inflight_count, 2);
	assert_int_equal(given_back, 1);
}

static void a_shortage_that_passes_is_none(void **state)
{
	(void)state;
	post(0, -ENOMEM);
	let_pass(PATIENCE - HZ);
	assert_int_equal(queue.inflight_count, 0);
	requests[0].mapping = 0;
	let_pass(HZ / 2);
	assert_int_equal(queue.inflight_count, 1);
	assert_true(requests[0].delayed);
	assert_int_equal(session.error, 0);
}

static void one_that_does_not_pass_fails_the_session(void **state)
{
	(void)state;
	post(0, -ENOMEM);
	post(1, 0);
	let_pass(PATIENCE);
	assert_int_equal(session.error, 0);
	let_pass(HZ);
	assert_int_equal(session.error, -ENOMEM);
	/* Nothing overtakes. */
	assert_int_equal(queue.inflight_count, 0);
}

/* Each is a stall of its own, however long they are together. */
static void what_was_posted_in_between_begins_it_anew(void **state)
{
	(void)state;
	post(0, -ENOMEM);
	let_pass(PATIENCE - HZ);
	requests[0].mapping = 0;
	let_pass(HZ / 10);
	post(1, -ENOMEM);
	end_oldest();
	let_pass(PATIENCE - HZ);
	assert_int_equal(session.error, 0);
	let_pass(2 * HZ);
	assert_int_equal(session.error, -ENOMEM);
}

/* The clock of what is in flight is heartbeat.c's. */
static void behind_what_is_in_flight_there_is_no_stall(void **state)
{
	(void)state;
	post(0, 0);
	post(1, -ENOMEM);
	let_pass(3 * PATIENCE);
	assert_int_equal(session.error, 0);
	assert_false(queue.retry.pending);
}

static void what_can_never_be_mapped_is_given_up_alone(void **state)
{
	(void)state;
	post(0, -EINVAL);
	assert_true(queue.retry.pending);
	assert_int_equal(queue.retry.at, jiffies);
	assert_ptr_equal(queue.hopeless.next, &requests[0].entry);
	assert_int_equal(queue.write_bytes, 0);
	post(1, 0);
	assert_int_equal(queue.inflight_count, 1);
	assert_int_equal(queue.credits, 127);
	let_pass(2 * PATIENCE);
	assert_int_equal(session.error, 0);
}

/* A stall that ended so is no part of the next one. */
static void a_stall_ends_with_what_is_given_up(void **state)
{
	(void)state;
	post(0, -ENOMEM);
	let_pass(HZ);
	requests[0].mapping = -EINVAL;
	let_pass(2 * PATIENCE);
	assert_true(list_empty(&queue.waiting));
	post(1, -ENOMEM);
	let_pass(PATIENCE - HZ);
	assert_int_equal(session.error, 0);
}

static void of_several_only_that_one_is_given_up(void **state)
{
	LIST_HEAD(batch);
	unsigned int i;

	(void)state;
	requests[1].mapping = -EINVAL;
	for (i = 0; i < ARRAY_SIZE(requests); i++)
		list_add_tail(&requests[i].entry, &batch);
	farmem_post_list(&queue, &batch);
	assert_int_equal(queue.inflight_count, ARRAY_SIZE(requests) - 1);
	assert_ptr_equal(requests[0].send.wr.wr.next, &requests[2].send.wr.wr);
	assert_ptr_equal(queue.hopeless.next, &requests[1].entry);
	assert_true(list_is_singular(&queue.hopeless));
}

/* One request, by the short way or by that of several. */
static void post_one(unsigned int i, bool alone)
{
	LIST_HEAD(batch);

	if (alone) {
		post(i, 0);
		return;
	}
	list_add_tail(&requests[i].entry, &batch);
	farmem_post_list(&queue, &batch);
	assert_true(list_empty(&batch) || given_back);
}

static void one_alone_goes_as_one_of_several(void **state)
{
	int alone;

	for (alone = 0; alone <= 1; alone++) {
		begin(state);
		requests[0].meta_pages = 1;
		post_one(0, alone);
		assert_int_equal(queue.credits, 126);
		assert_int_equal(queue.write_bytes, 4096);
		assert_ptr_equal(queue.inflight.next, &requests[0].entry);
		assert_true(requests[0].send.signaled);
		assert_int_equal(posted->send_flags, 0);
		assert_int_equal(posted->next->send_flags, IB_SEND_SIGNALED);
		assert_int_equal(armed, 1);
		/* What polls for it finds its completion. */
		requests[1].poll.on = true;
		post_one(1, alone);
		assert_int_equal(queue.inflight_count, 2);
		assert_int_equal(armed, 1);
	}
}

/* Perhaps half of it was posted. */
static void what_the_driver_refused_stays_until_the_fence(void **state)
{
	int alone;

	for (alone = 0; alone <= 1; alone++) {
		begin(state);
		send_error = -EIO;
		post_one(0, alone);
		assert_int_equal(session.error, -EIO);
		assert_false(queue.live);
		assert_ptr_equal(queue.inflight.next, &requests[0].entry);
		assert_true(requests[0].send.signaled);
		assert_int_equal(given_back, 0);
		post_one(1, alone);
		assert_int_equal(given_back, 1);
		assert_int_equal(queue.inflight_count, 1);
	}
}

/* Four pages, one behind the other, read or written. */
static void neighbours(enum farmem_op op)
{
	unsigned int i;

	begin(NULL);
	extent.addr = 0x10000000;
	device.max_sge = 32;
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		requests[i].op = op;
		requests[i].within = i * 4096;
		requests[i].send.sge_count = 1;
		requests[i].send.sge[0] = (struct ib_sge){ .addr = 0x1000 * (i + 7), .length = 4096 };
	}
}

/* post_as() - @expected: how many SGEs each work request has. */
static void post_as(const char *expected)
{
	const struct ib_send_wr *wr;
	LIST_HEAD(batch);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(requests); i++)
		list_add_tail(&requests[i].entry, &batch);
	farmem_post_list(&queue, &batch);
	assert_int_equal(queue.inflight_count, ARRAY_SIZE(requests));
	for (wr = posted; wr; wr = wr->next, expected++)
		assert_int_equal(wr->num_sge, *expected - '0');
	assert_int_equal(*expected, 0);
}

static const struct farmem_request *named_by(const struct ib_send_wr *wr)
{
	return (const void *)(uintptr_t)wr->wr_id;
}

/* Of reads each work request has a completion, of writes the chain's last. */
static void neighbours_are_one_work_request(void **state)
{
	const struct ib_rdma_wr *wr = &requests[0].send.wr;
	unsigned int i;

	(void)state;
	neighbours(FARMEM_OP_READ);
	post_as("4");
	assert_int_equal(wr->remote_addr, 0x10000000);
	assert_ptr_equal(named_by(posted), &requests[3]);
	assert_int_equal(posted->send_flags, IB_SEND_SIGNALED);
	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		assert_int_equal(requests[i].send.signaled, i == 3);
		assert_int_equal(posted->sg_list[i].addr, 0x1000 * (i + 7));
		/* What each has mapped is its own. */
		assert_int_equal(requests[i].send.sge_count, 1);
	}

	neighbours(FARMEM_OP_READ);
	requests[2].within = requests[3].within = 1 << 20;
	requests[3].within += 4096;
	post_as("22");
	assert_ptr_equal(named_by(posted), &requests[1]);
	assert_int_equal(posted->send_flags, IB_SEND_SIGNALED);
	assert_true(requests[1].send.signaled);
	assert_false(requests[2].send.signaled);
	assert_int_equal(requests[2].send.wr.remote_addr, 0x10000000 + (1 << 20));

	neighbours(FARMEM_OP_WRITE);
	requests[2].within = 1 << 20;
	requests[3].within = 1 << 21;
	post_as("211");
	assert_int_equal(posted->send_flags, 0);
	assert_false(requests[1].send.signaled);
	assert_true(requests[3].send.signaled);
}

static void what_differs_goes_by_itself(void **state)
{
	static struct farmem_extent other;

	(void)state;
	neighbours(FARMEM_OP_WRITE);
	requests[1].op = FARMEM_OP_READ;
	post_as("112");
	neighbours(FARMEM_OP_READ);
	requests[3].extent = &other;
	post_as("31");
	/* Backwards, and with a gap. */
	neighbours(FARMEM_OP_READ);
	requests[1].within = 1 << 20;
	requests[2].within = (1 << 20) - 4096;
	post_as("1111");
	/* A poller waits for no more than its own. */
	neighbours(FARMEM_OP_READ);
	requests[2].poll.on = true;
	post_as("211");
	neighbours(FARMEM_OP_READ);
	device.max_sge = 3;
	post_as("31");
}

/* Their page states are a work request between the two. */
static void what_writes_states_goes_by_itself(void **state)
{
	(void)state;
	neighbours(FARMEM_OP_WRITE);
	requests[1].meta_pages = 1;
	post_as("1112");
	assert_ptr_equal(requests[1].send.wr.wr.next, &requests[1].send.meta_wr.wr);
	neighbours(FARMEM_OP_ZERO);
	requests[0].meta_pages = requests[1].meta_pages = 1;
	requests[2].meta_pages = requests[3].meta_pages = 1;
	post_as("1111");
}

/* A token has no bytes, and nothing joins it. */
static void a_barrier_is_a_message(void **state)
{
	const struct ib_send_wr *wr = &requests[1].send.wr.wr;

	(void)state;
	neighbours(FARMEM_OP_WRITE);
	requests[1].op = requests[2].op = FARMEM_OP_BARRIER;
	requests[1].send.token = 0x01020304;
	post_as("1001");
	assert_int_equal(wr->opcode, IB_WR_SEND_WITH_IMM);
	assert_int_equal(wr->ex.imm_data, cpu_to_be32(0x01020304));
	assert_ptr_equal(named_by(wr), &requests[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(volumes_wait_until_it_is_open, begin),
		cmocka_unit_test_setup(what_has_flags_is_prepared, begin),
		cmocka_unit_test_setup_teardown(a_shortage_that_passes_is_none, begin, end),
		cmocka_unit_test_setup_teardown(one_that_does_not_pass_fails_the_session, begin, end),
		cmocka_unit_test_setup_teardown(what_was_posted_in_between_begins_it_anew, begin, end),
		cmocka_unit_test_setup_teardown(behind_what_is_in_flight_there_is_no_stall, begin, end),
		cmocka_unit_test_setup_teardown(what_can_never_be_mapped_is_given_up_alone, begin, end),
		cmocka_unit_test_setup_teardown(a_stall_ends_with_what_is_given_up, begin, end),
		cmocka_unit_test_setup_teardown(of_several_only_that_one_is_given_up, begin, end),
		cmocka_unit_test(one_alone_goes_as_one_of_several),
		cmocka_unit_test(what_the_driver_refused_stays_until_the_fence),
		cmocka_unit_test_setup_teardown(neighbours_are_one_work_request, begin, end),
		cmocka_unit_test_setup_teardown(what_differs_goes_by_itself, begin, end),
		cmocka_unit_test_setup_teardown(what_writes_states_goes_by_itself, begin, end),
		cmocka_unit_test_setup_teardown(a_barrier_is_a_message, begin, end),
	};

	return cmocka_run_group_tests_name("kernel_post", tests, NULL, NULL);
}
