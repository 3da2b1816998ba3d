// SPDX-License-Identifier: GPL-2.0
/*
 * test_batch.c - what is gathered under a plug, and which request of it is polled for
 *
 * batch.c itself is compiled here, with pages that have the flags it looks at.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/blk_types.h>
#include <linux/kernel.h>
#include <linux/list.h>

/* Of the headers that batch.c includes. */
#define FARMEM_COMPAT_H
#define FARMEM_POLL_H
#define FARMEM_POST_H
#define FARMEM_QUEUE_H
#define FARMEM_SESSION_H

#define IS_ENABLED(option) (option)
#define CONFIG_LRU_GEN_ENABLED lru_gen
#define PF_KTHREAD 0x200000

enum farmem_op { FARMEM_OP_READ, FARMEM_OP_WRITE, FARMEM_OP_ZERO };
enum farmem_queue_type { FARMEM_QUEUE_WRITE, FARMEM_QUEUE_READ, FARMEM_QUEUE_POLL };

struct page {
	bool swapping, ahead;
};

struct bio_vec {
	struct page *bv_page;
};

struct bio {
	struct bio_vec vec;
};

struct blk_plug {
	struct list_head cb_list;
};

struct blk_plug_cb {
	struct list_head list;
	void (*callback)(struct blk_plug_cb *cb, bool from_schedule);
	void *data;
};

struct farmem_session {
	int unused;
};

struct farmem_queue {
	struct farmem_session *session;
	bool software;
};

struct farmem_batch {
	struct blk_plug_cb cb;
	struct list_head requests;
	unsigned int count, bytes;
};

struct farmem_request {
	struct list_head entry;
	struct farmem_batch batch;
	struct {
		struct bio *bio;
	} data;
	u32 bytes;
	u8 op;
	blk_opf_t opf;
	bool fault;
	u64 arrived;
};

struct task {
	unsigned int flags;
};

static struct task task, *current = &task;
static struct blk_plug plug, *my_plug = &plug;
static bool lru_gen;
static struct farmem_queue reads, polled;

#define bio_iovec(bio) ((bio)->vec)
#define farmem_submitters_plug() my_plug
#define farmem_page_swapping(page) ((page)->swapping)
#define farmem_page_ahead(page) ((page)->ahead)
#define farmem_session_queue(session, type) \
	((void)(session), (type) == FARMEM_QUEUE_POLL ? &polled : &reads)

/* What was posted: how often, how many with the last call, and which was polled for. */
static unsigned int posts, last_count;
static struct farmem_request *polled_for;

static unsigned int length(const struct list_head *list)
{
	const struct list_head *entry;
	unsigned int n = 0;

	for (entry = list->next; entry != list; entry = entry->next)
		n++;
	return n;
}

static void farmem_post_list(struct farmem_queue *q, struct list_head *requests)
{
	assert_ptr_equal(q, &reads);
	posts++;
	last_count = length(requests);
}

static void farmem_poll_first(struct farmem_queue *q, struct farmem_request *req,
			      struct farmem_queue *behind, struct list_head *others)
{
	assert_ptr_equal(q, &polled);
	assert_ptr_equal(behind, &reads);
	posts++;
	polled_for = req;
	last_count = length(others);
}

#include "batch.c"

#define WINDOW 8

static struct farmem_request requests[80];
static struct bio bios[80];
static struct page pages[80];

static int begin(void **state)
{
	unsigned int n;

	(void)state;
	memset(requests, 0, sizeof(requests));
	memset(pages, 0, sizeof(pages));
	for (n = 0; n < ARRAY_SIZE(requests); n++) {
		bios[n].vec.bv_page = &pages[n];
		requests[n].data.bio = &bios[n];
		requests[n].op = FARMEM_OP_READ;
		requests[n].bytes = 4096;
	}
	INIT_LIST_HEAD(&plug.cb_list);
	my_plug = &plug;
	task.flags = 0;
	reads.software = lru_gen = false;
	posts = last_count = 0;
	polled_for = NULL;
	return 0;
}

static void add(unsigned int count)
{
	unsigned int n;

	for (n = 0; n < count; n++)
		assert_true(farmem_batch_add(&reads, &requests[n]));
}

static void unplug(bool from_schedule)
{
	struct blk_plug_cb *cb;

	assert_int_equal(length(&plug.cb_list), 1);
	cb = list_first_entry(&plug.cb_list, struct blk_plug_cb, list);
	list_del(&cb->list);
	cb->callback(cb, from_schedule);
}

/* As mm/swap_state.c does: it marks a page once it has submitted its read. */
static void window(unsigned int demanded)
{
	unsigned int n;

	for (n = 0; n < WINDOW; n++)
		pages[n].swapping = true;
	add(WINDOW);
	for (n = 0; n < WINDOW; n++)
		pages[n].ahead = n != demanded;
}

static void expect_one_fault(unsigned int demanded)
{
	unsigned int n;

	for (n = 0; n < WINDOW; n++)
		assert_int_equal(requests[n].fault, n == demanded);
}

static void the_faulted_page_goes_first(void **state)
{
	unsigned int n;

	for (n = 0; n < WINDOW; n++) {
		begin(state);
		window(n);
		unplug(false);
		assert_int_equal(posts, 1);
		assert_ptr_equal(polled_for, &requests[n]);
		expect_one_fault(n);
		assert_int_equal(last_count, WINDOW - 1);
	}
}

static void expect_nobody_polls(void)
{
	assert_int_equal(posts, 1);
	assert_null(polled_for);
	assert_int_equal(last_count, WINDOW);
}

/* The faulted page was in memory by then. */
static void nobody_polls_for_a_window_read_ahead(void **state)
{
	(void)state;
	window(WINDOW);
	unplug(false);
	expect_nobody_polls();
}

static void nobody_polls_on_the_way_to_sleep(void **state)
{
	(void)state;
	window(0);
	unplug(true);
	expect_nobody_polls();
}

static void nobody_polls_where_cpus_do_the_work(void **state)
{
	(void)state;
	reads.software = true;
	window(0);
	unplug(false);
	expect_nobody_polls();
	expect_one_fault(WINDOW);
}

static void a_fault_is_measured_where_cpus_do_the_work(void **state)
{
	(void)state;
	reads.software = true;
	requests[0].arrived = 1;
	window(3);
	unplug(false);
	expect_nobody_polls();
	expect_one_fault(3);
}

static void nobody_polls_for_another_task(void **state)
{
	(void)state;
	task.flags = PF_KTHREAD;
	window(0);
	unplug(false);
	expect_nobody_polls();
}

/* madvise() marks none. */
static void nobody_polls_for_one_of_two(void **state)
{
	(void)state;
	window(0);
	pages[1].ahead = false;
	unplug(false);
	expect_nobody_polls();
}

static void nobody_polls_for_what_is_not_swaps(void **state)
{
	(void)state;
	window(0);
	pages[0].swapping = false;
	unplug(false);
	expect_nobody_polls();
	begin(state);
	window(0);
	/* A write of swap's is in its cache, too; and what has no bio was never in a window. */
	requests[0].op = FARMEM_OP_WRITE;
	requests[1].data.bio = NULL;
	unplug(false);
	expect_nobody_polls();
}

static void a_full_batch_goes_with_the_next(void **state)
{
	(void)state;
	add(64);
	assert_int_equal(posts, 0);
	assert_true(farmem_batch_add(&reads, &requests[64]));
	assert_int_equal(posts, 1);
	assert_int_equal(last_count, 64);
	assert_null(polled_for);
	unplug(false);
	assert_int_equal(last_count, 1);
}

static void swaps_batches_are_short_on_lru_gen(void **state)
{
	unsigned int n;

	(void)state;
	lru_gen = true;
	for (n = 0; n < ARRAY_SIZE(requests); n++) {
		requests[n].op = FARMEM_OP_WRITE;
		requests[n].opf = REQ_SWAP;
	}
	add(17);
	assert_int_equal(posts, 1);
	assert_int_equal(last_count, 16);
	begin(state);
	lru_gen = true;
	add(17);
	assert_int_equal(posts, 0);
}

static void without_a_plug_nothing_waits(void **state)
{
	(void)state;
	my_plug = NULL;
	assert_false(farmem_batch_add(&reads, &requests[0]));
	assert_int_equal(posts, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(the_faulted_page_goes_first, begin),
		cmocka_unit_test_setup(nobody_polls_for_a_window_read_ahead, begin),
		cmocka_unit_test_setup(nobody_polls_on_the_way_to_sleep, begin),
		cmocka_unit_test_setup(nobody_polls_where_cpus_do_the_work, begin),
		cmocka_unit_test_setup(a_fault_is_measured_where_cpus_do_the_work, begin),
		cmocka_unit_test_setup(nobody_polls_for_another_task, begin),
		cmocka_unit_test_setup(nobody_polls_for_one_of_two, begin),
		cmocka_unit_test_setup(nobody_polls_for_what_is_not_swaps, begin),
		cmocka_unit_test_setup(a_full_batch_goes_with_the_next, begin),
		cmocka_unit_test_setup(swaps_batches_are_short_on_lru_gen, begin),
		cmocka_unit_test_setup(without_a_plug_nothing_waits, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
