// SPDX-License-Identifier: GPL-2.0
/*
 * test_checksum.c - what a checksum finds, and that it never finds what is not there
 *
 * checksum.c itself is compiled here.  The server is a page of memory: what a READ of it
 * brings is right, unless a test changes a bit.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/atomic.h>
#include <linux/bio.h>
#include <linux/compiler.h>
#include <linux/crc32c.h>
#include <linux/highmem.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "explore.h"

/* Of the headers that checksum.c includes. */
#define FARMEM_ARM_H
#define FARMEM_FAULT_H
#define FARMEM_MEMORY_H
#define FARMEM_POST_H
#define FARMEM_QUEUE_H

/* Small ones: there are many orders to try. */
#define FARMEM_PAGE_SHIFT 4
#define FARMEM_PAGE_SIZE 16u
#define PIECE 4u
#define PIECES (FARMEM_PAGE_SIZE / PIECE)
#define FARMEM_GFP_MAY_FAIL GFP_KERNEL
#define BLK_STS_OK 0
#define BLK_STS_TRANSPORT 1
#define BLK_STS_IOERR 2
#define DIV_ROUND_UP_ULL(n, d) (((n) + (d) - 1) / (d))
#define pr_err_ratelimited(...) ((void)0)

#define PAGES 40000	/* three chunks */

enum farmem_op { FARMEM_OP_READ, FARMEM_OP_WRITE };

typedef u8 blk_status_t;

typedef struct {
	s64 counter;
} atomic64_t;

#define atomic64_inc(v) ((void)(v)->counter++)

struct page;

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_len, bv_offset;
};

/* Each at the end of a page of its own; sectors count them. */
static struct bio_vec bio_iter_iovec(struct bio *bio, struct bvec_iter iter)
{
	u8 *pieces = bio->bi_private;

	return (struct bio_vec){
		.bv_page = (void *)(pieces + iter.bi_sector * FARMEM_PAGE_SIZE),
		.bv_len = PIECE,
		.bv_offset = FARMEM_PAGE_SIZE - PIECE,
	};
}

static void bio_advance_iter(struct bio *bio, struct bvec_iter *iter, unsigned int bytes)
{
	iter->bi_sector += bytes / PIECE;
}

struct farmem_queue {
	spinlock_t lock;
	bool live;
};

struct farmem_request {
	struct farmem_queue *queue;
	u32 bytes;
	u8 op, checked;
	bool lost;
	blk_opf_t opf;
	struct {
		struct bio *bio;
		struct page *page;
		unsigned int offset;
	} data;
	u64 offset;
	u32 checksums_seen;
};

struct farmem_session {
	struct {
		const char *server;
	} config;
	void *local;
};

static unsigned int allocs_left;

static void *farmem_fault_alloc(void *memory)
{
	if (!allocs_left--) {
		free(memory);
		return NULL;
	}
	return memory;
}

#include "checksum.h"

struct farmem_memory {
	struct farmem_checksums checksums;
	struct farmem_session *session;
	const char *name;
};

static struct farmem_session session;
static struct farmem_memory memory;
static struct farmem_queue queue;
static u8 server[2][FARMEM_PAGE_SIZE];	/* pages 0 and 1 */
static unsigned int reads_again, armed;

static struct farmem_memory *farmem_memory_of(const struct farmem_request *req)
{
	return &memory;
}

static void farmem_post_request(struct farmem_queue *q, struct farmem_request *req);

static void farmem_arm_next(struct farmem_queue *q)
{
	armed++;
}

#include "checksum.c"

static int set_up(void **state)
{
	allocs_left = 1000;
	memset(&memory, 0, sizeof(memory));
	memory.session = &session;
	memory.name = "test";
	session.local = NULL;
	queue.live = true;
	spin_lock_init(&queue.lock);
	memset(server, 0, sizeof(server));
	reads_again = armed = 0;
	return farmem_checksums_init(&memory.checksums, PAGES);
}

static int tear_down(void **state)
{
	farmem_checksums_free(&memory.checksums);
	return 0;
}

static struct farmem_request request(enum farmem_op op, void *data)
{
	return (struct farmem_request){
		.queue = &queue, .op = op, .bytes = FARMEM_PAGE_SIZE, .data.page = data,
	};
}

/* How a READ that is under way ends, and perhaps another one. */
static blk_status_t end_read(struct farmem_request *req)
{
	blk_status_t status = BLK_STS_OK;

	shim_point("the READ");
	memcpy(req->data.page, server, FARMEM_PAGE_SIZE);
	return farmem_checksum_verify(req, &status) ? status : BLK_STS_TRANSPORT;
}

static blk_status_t again_status;

static void farmem_post_request(struct farmem_queue *q, struct farmem_request *req)
{
	reads_again++;
	again_status = end_read(req);
}

static blk_status_t read_page(void *data)
{
	struct farmem_request req = request(FARMEM_OP_READ, data);
	blk_status_t status;

	farmem_checksum_begin(&req);
	status = end_read(&req);
	return status == BLK_STS_TRANSPORT ? again_status : status;
}

static void write_page(const void *data, bool swap)
{
	struct farmem_request req = request(FARMEM_OP_WRITE, (void *)data);

	req.opf = swap ? REQ_SWAP : 0;
	farmem_checksum_begin(&req);
	shim_point("the WRITE");
	memcpy(server, data, FARMEM_PAGE_SIZE);
	farmem_checksum_end(&req, BLK_STS_OK);
}

/* Not changed by any test. */
static const u8 *page_of(u8 byte)
{
	static u8 page[256][FARMEM_PAGE_SIZE];

	memset(page[byte], byte, FARMEM_PAGE_SIZE);
	return page[byte];
}

static void test_finds_a_bit(void **state)
{
	u8 data[FARMEM_PAGE_SIZE];

	write_page(page_of(1), true);
	assert_int_equal(read_page(data), BLK_STS_OK);
	server[0][FARMEM_PAGE_SIZE - 1] ^= 0x80;
	assert_int_equal(read_page(data), BLK_STS_IOERR);
	assert_int_equal(reads_again, 1);
	assert_int_equal(armed, 1);
	assert_int_equal(memory.checksums.errors.counter, 2);
	write_page(page_of(2), true);
	assert_int_equal(read_page(data), BLK_STS_OK);
	assert_int_equal(memory.checksums.errors.counter, 2);
}

/* Its memory would say the same again. */
static void test_local_is_read_once(void **state)
{
	u8 data[FARMEM_PAGE_SIZE];

	session.local = &session;
	write_page(page_of(1), true);
	server[0][0] ^= 1;
	assert_int_equal(read_page(data), BLK_STS_IOERR);
	assert_int_equal(reads_again, 0);
}

static void test_unwritten_is_not_judged(void **state)
{
	u8 data[FARMEM_PAGE_SIZE];

	memset(server[0], 7, FARMEM_PAGE_SIZE);
	assert_int_equal(read_page(data), BLK_STS_OK);
}

/* Lost pages read as errors for that reason, and are not read twice. */
static void test_lost_is_not_judged(void **state)
{
	struct farmem_request req;
	u8 data[FARMEM_PAGE_SIZE];

	write_page(page_of(1), true);
	server[0][0] ^= 1;
	req = request(FARMEM_OP_READ, data);
	farmem_checksum_begin(&req);
	req.lost = true;
	assert_int_equal(end_read(&req), BLK_STS_OK);
	assert_int_equal(memory.checksums.errors.counter, 0);
}

static void test_failed_write_is_not_judged(void **state)
{
	struct farmem_request req = request(FARMEM_OP_WRITE, (void *)page_of(1));
	u8 data[FARMEM_PAGE_SIZE];

	write_page(page_of(2), true);
	farmem_checksum_begin(&req);
	farmem_checksum_end(&req, BLK_STS_TRANSPORT);
	assert_int_equal(read_page(data), BLK_STS_OK);
	memset(server[0], 1, FARMEM_PAGE_SIZE);
	assert_int_equal(read_page(data), BLK_STS_OK);
}

/* Direct I/O: the process writes to its buffer while the adapter reads it. */
static void test_changed_buffer_is_not_judged(void **state)
{
	u8 buffer[FARMEM_PAGE_SIZE] = { 1 }, data[FARMEM_PAGE_SIZE];
	struct farmem_request req = request(FARMEM_OP_WRITE, buffer);

	farmem_checksum_begin(&req);
	buffer[9] = 9;
	memcpy(server[0], buffer, FARMEM_PAGE_SIZE);
	farmem_checksum_end(&req, BLK_STS_OK);
	assert_int_equal(read_page(data), BLK_STS_OK);
	server[0][0]++;
	assert_int_equal(read_page(data), BLK_STS_OK);
	write_page(page_of(3), false);
	server[0][0]++;
	assert_int_equal(read_page(data), BLK_STS_IOERR);
}

/* The second page of two, which lie in pieces. */
static void test_pieces(void **state)
{
	static u8 pieces[2 * PIECES][FARMEM_PAGE_SIZE];
	struct bio bio = { .bi_private = pieces, .bi_iter.bi_size = 2 * FARMEM_PAGE_SIZE };
	struct farmem_request req = request(FARMEM_OP_WRITE, NULL);
	blk_status_t status = BLK_STS_OK;
	int i;

	req.data.bio = &bio;
	req.bytes = 2 * FARMEM_PAGE_SIZE;
	req.offset = 16383ull << FARMEM_PAGE_SHIFT;	/* the last of a chunk, the first of another */
	for (i = 0; i < 2 * PIECES; i++)
		memset(pieces[i] + FARMEM_PAGE_SIZE - PIECE, i, PIECE);
	farmem_checksum_begin(&req);
	farmem_checksum_end(&req, BLK_STS_OK);
	req.op = FARMEM_OP_READ;
	session.local = &session;
	farmem_checksum_begin(&req);
	assert_true(farmem_checksum_verify(&req, &status));
	assert_int_equal(status, BLK_STS_OK);
	pieces[2 * PIECES - 1][FARMEM_PAGE_SIZE - 1] ^= 1;
	assert_true(farmem_checksum_verify(&req, &status));
	assert_int_equal(status, BLK_STS_IOERR);
	pieces[2 * PIECES - 1][FARMEM_PAGE_SIZE - 1] ^= 1;
	pieces[0][FARMEM_PAGE_SIZE - PIECE] ^= 1;
	status = BLK_STS_OK;
	assert_true(farmem_checksum_verify(&req, &status));
	assert_int_equal(status, BLK_STS_IOERR);
}

/*
 * A READ of two pages that is posted while a WRITE of both is under way, and ends after it:
 * it may bring what was there before, and both pages' words have changed in the same bit.
 */
static void test_read_within_a_write(void **state)
{
	static u8 pieces[2 * PIECES][FARMEM_PAGE_SIZE];
	struct bio bio = { .bi_private = pieces, .bi_iter.bi_size = 2 * FARMEM_PAGE_SIZE };
	struct farmem_request write = request(FARMEM_OP_WRITE, NULL), read;
	blk_status_t status = BLK_STS_OK;

	write.data.bio = &bio;
	write.bytes = 2 * FARMEM_PAGE_SIZE;
	write.opf = REQ_SWAP;
	session.local = &session;
	read = write;
	read.op = FARMEM_OP_READ;
	farmem_checksum_begin(&write);
	farmem_checksum_begin(&read);
	farmem_checksum_end(&write, BLK_STS_OK);
	memset(pieces, 7, sizeof(pieces));
	assert_true(farmem_checksum_verify(&read, &status));
	assert_int_equal(status, BLK_STS_OK);
	assert_int_equal(memory.checksums.errors.counter, 0);
}

/* What has a meaning of its own is never a checksum. */
static void test_words(void **state)
{
	u32 crcs[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xffffff02, 0x7fffff00, 0x7ffffeff };
	u32 word, was;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(crcs); i++) {
		word = checksum_word(crcs[i]);
		assert_true(word && word < (WORD_SHARED & ~WORD_WRITING));
		was = checksum_word_begun(0, word);
		assert_true(was & WORD_WRITING);
		assert_true(was < WORD_SHARED);
		assert_int_equal(checksum_word_ended(was, word), word);
	}
	/* More writes at once than can be counted: nothing is known any more. */
	for (was = 0, i = 0; i < 300; i++)
		was = checksum_word_begun(was, 5);
	for (i = 0; i < 300; i++)
		was = checksum_word_ended(was, 5);
	assert_int_equal(was, WORD_SHARED_MAX);
}

static void test_no_memory(void **state)
{
	struct farmem_checksums sums = { 0 };
	unsigned int n;

	for (n = 0; n < 4; n++) {
		allocs_left = n;
		assert_int_equal(farmem_checksums_init(&sums, PAGES), -ENOMEM);
		assert_false(farmem_checksums_used(&sums));
	}
	allocs_left = 4;
	assert_int_equal(farmem_checksums_init(&sums, PAGES), 0);
	farmem_checksums_free(&sums);
}

/* One that comes when two have met, and one of these is over, is not alone either. */
static void test_third_writer(void **state)
{
	struct farmem_request req[3];
	u8 data[FARMEM_PAGE_SIZE];
	int i;

	for (i = 0; i < 3; i++) {
		req[i] = request(FARMEM_OP_WRITE, (void *)page_of(i + 1));
		req[i].opf = REQ_SWAP;
	}
	farmem_checksum_begin(&req[0]);
	farmem_checksum_begin(&req[1]);
	farmem_checksum_end(&req[0], BLK_STS_OK);
	farmem_checksum_begin(&req[2]);
	farmem_checksum_end(&req[2], BLK_STS_OK);
	memset(server[0], 2, FARMEM_PAGE_SIZE);
	assert_int_equal(read_page(data), BLK_STS_OK);
	farmem_checksum_end(&req[1], BLK_STS_OK);
	assert_int_equal(read_page(data), BLK_STS_OK);
	write_page(page_of(4), true);
	server[0][0]++;
	assert_int_equal(read_page(data), BLK_STS_IOERR);
}

static void write_swap(void *page)
{
	write_page(page, true);
}

static void write_buffer(void *page)
{
	write_page(page, false);
}

static void read_any(void *data)
{
	if (read_page(data))
		explore_fault("a READ of what the server has failed");
	if (memory.checksums.errors.counter)
		explore_fault("a mismatch was counted, and there was none");
}

/* With all over, a page is known to be what it is, or not known. */
static const char *check_last(void)
{
	u32 word = *checksum_at(&memory.checksums, 0);
	u32 is = checksum_word(crc32c(~0u, server, FARMEM_PAGE_SIZE));

	return word && word != is ? "the word is not the page's" : NULL;
}

/* There are many orders: the words stay where they are. */
static void begin_order(void)
{
	*checksum_at(&memory.checksums, 0) = 0;
	memory.checksums.errors.counter = 0;
	memset(server, 0, sizeof(server));
	spin_lock_init(&queue.lock);
}

static struct explore e;

/* Two writers that meet, and a reader: in no order is anything found. */
static void test_orders_of_two_writers(void **state)
{
	static u8 data[FARMEM_PAGE_SIZE];

	memset(&e, 0, sizeof(e));
	e.setup = begin_order;
	e.thread[0] = write_swap;
	e.argument[0] = (void *)page_of(1);
	e.thread[1] = write_buffer;
	e.argument[1] = (void *)page_of(2);
	e.thread[2] = read_any;
	e.argument[2] = data;
	e.check = check_last;
	e.preemptions = 3;
	explore_all(&e);
}

/* Three that write. */
static void test_orders_of_three_writers(void **state)
{
	memset(&e, 0, sizeof(e));
	e.setup = begin_order;
	e.thread[0] = write_swap;
	e.argument[0] = (void *)page_of(1);
	e.thread[1] = write_swap;
	e.argument[1] = (void *)page_of(2);
	e.thread[2] = write_swap;
	e.argument[2] = (void *)page_of(3);
	e.check = check_last;
	e.preemptions = 3;
	explore_all(&e);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_finds_a_bit),
		TEST(test_local_is_read_once),
		TEST(test_unwritten_is_not_judged),
		TEST(test_lost_is_not_judged),
		TEST(test_failed_write_is_not_judged),
		TEST(test_changed_buffer_is_not_judged),
		TEST(test_pieces),
		TEST(test_read_within_a_write),
		TEST(test_words),
		TEST(test_no_memory),
		TEST(test_third_writer),
		TEST(test_orders_of_two_writers),
		TEST(test_orders_of_three_writers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
