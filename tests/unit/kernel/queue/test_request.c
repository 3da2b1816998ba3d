// SPDX-License-Identifier: GPL-2.0
/*
 * test_request.c - the mapping of a request's data, where a mapping may have little
 *
 * request.c itself is compiled here.  A device's address of memory is the memory's own.
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
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/types.h>

/* Of queue.h and request.h. */
#define FARMEM_QUEUE_H
#define FARMEM_REQUEST_H

#define FARMEM_MAX_SGE 32
#define BLK_STS_TRANSPORT 1
#define SLAB_HWCACHE_ALIGN 0

typedef u8 blk_status_t;
typedef struct mempool mempool_t;

enum farmem_op { FARMEM_OP_READ, FARMEM_OP_WRITE, FARMEM_OP_ZERO, FARMEM_OP_BARRIER };
enum farmem_wait { FARMEM_WAIT_PENDING, FARMEM_WAIT_DONE, FARMEM_WAIT_ABANDONED };
enum dma_data_direction { DMA_FROM_DEVICE, DMA_TO_DEVICE };

struct kmem_cache;
struct page;
struct task_struct;

struct ib_sge {
	u64 addr;
	u32 length, lkey;
};

struct ib_pd {
	u32 local_dma_lkey;
};

struct farmem_device {
	void *dev;
	struct ib_pd *pd;
	unsigned int max_sge, max_segment;
	bool software;
};

struct farmem_queue {
	struct farmem_device *device;
};

struct farmem_request;

struct farmem_request_ops {
	void (*done)(struct farmem_request *req, blk_status_t status);
	bool (*park)(struct farmem_request *req);
	bool (*verify)(struct farmem_request *req, blk_status_t *status);
};

struct farmem_target {
	unsigned int flags;
};

struct farmem_request {
	struct farmem_queue *queue;
	struct {
		struct bio *bio;
		struct page *page;
		unsigned int offset;
	} data;
	const struct farmem_request_ops *ops;
	u32 bytes, meta_pages;
	u8 op;
	bool delayed, lost, checked;
	struct {
		bool on, marked;
		int wait;
		u64 mark;
	} poll;
	struct {
		unsigned long since;
		struct task_struct *waiter;
	} repost;
	mempool_t *pool;
	struct {
		u8 sge_count;
		bool mapped;
		struct ib_sge sge[FARMEM_MAX_SGE];
	} send;
};

/* One of many pieces. */
struct bio_vec {
	struct page *bv_page;
	unsigned int bv_offset, bv_len;
};

static struct bio_vec pieces[4];
static unsigned int piece_count;
static unsigned int maps, unmaps, fails_at;

#define bio_for_each_bvec(bv, bio, iter) \
	for ((void)(iter), at = 0; at < piece_count && (bv = pieces[at], true); at++)

static unsigned int at;

/* What a bio begins with. */
#define mp_bvec_iter_bvec(vec, iter) pieces[0]

static u64 ib_dma_map_page(void *dev, struct page *page, unsigned int offset, unsigned int len,
			   enum dma_data_direction direction)
{
	(void)dev;
	(void)len;
	(void)direction;
	return ++maps == fails_at ? 0 : (uintptr_t)page + offset;
}

#define ib_dma_mapping_error(dev, addr) (!(addr))
#define ib_dma_unmap_page(dev, addr, len, direction) ((void)(direction), unmaps++)
#define mempool_free(req, pool) ((void)(req), (void)(pool))
#define NUMA_NO_NODE (-1)
#define mempool_create_node(min, alloc, free, cache, gfp, node) \
	((void)(min), (void)(alloc), (void)(free), (void)(cache), (void)(gfp), NULL)
#define kmem_cache_alloc(cache, gfp) ((void)(cache), (void)(gfp), NULL)
#define kmem_cache_free(cache, object) ((void)(cache), (void)(object))
#define kmem_cache_create(...) ((void)request_construct, NULL)
#define kmem_cache_destroy(cache) ((void)(cache))
#define get_random_u64() 1

mempool_t *farmem_request_pool(unsigned int min, gfp_t gfp);
void farmem_request_free(struct farmem_request *req);
int farmem_request_map(struct farmem_request *req, struct farmem_device *device);
void *farmem_request_tail(const struct farmem_request *req);
void farmem_request_complete(struct farmem_request *req, blk_status_t status);
void farmem_request_finish(struct farmem_request *req, blk_status_t status);
void farmem_request_abandon(struct farmem_request *req);
int farmem_request_init(void);
void farmem_request_exit(void);

/* Only READs are marked: none here is one. */
void *farmem_request_tail(const struct farmem_request *req)
{
	(void)req;
	return NULL;
}

#include "request.c"

static struct ib_pd pd;
static struct farmem_device device = { .pd = &pd };
static struct farmem_queue queue = { .device = &device };
static struct farmem_request request;
static struct bio some;

#define MEMORY ((struct page *)0x100000ul)

/* A device of such limits, and a request of no data yet. */
static void begin(unsigned int max_sge, unsigned int max_segment)
{
	device.max_sge = max_sge;
	device.max_segment = max_segment;
	memset(&request, 0, sizeof(request));
	request.queue = &queue;
	request.op = FARMEM_OP_WRITE;
	piece_count = maps = unmaps = fails_at = 0;
}

static void add(unsigned int offset, unsigned int len)
{
	request.data.bio = &some;
	pieces[piece_count++] = (struct bio_vec){ MEMORY, offset, len };
	request.bytes += len;
}

static void expect_sge(unsigned int i, u64 offset, u32 length)
{
	assert_int_equal(request.send.sge[i].addr, (uintptr_t)MEMORY + offset);
	assert_int_equal(request.send.sge[i].length, length);
}

static void a_piece_that_fits_is_one(void **state)
{
	(void)state;
	begin(1, UINT32_MAX & ~4095u);
	add(0, 2 << 20);
	assert_int_equal(farmem_request_map(&request, &device), 0);
	assert_int_equal(request.send.sge_count, 1);
	expect_sge(0, 0, 2 << 20);
}

static void each_piece_that_fits_is_one(void **state)
{
	(void)state;
	begin(32, 4096);
	add(0, 4096);
	add(8192, 4096);
	add(512, 1024);
	assert_int_equal(farmem_request_map(&request, &device), 0);
	assert_int_equal(request.send.sge_count, 3);
	expect_sge(1, 8192, 4096);
	expect_sge(2, 512, 1024);
}

static void a_large_one_is_cut(void **state)
{
	(void)state;
	begin(32, 256 << 10);
	add(512, (512 << 10) + 4096);
	add(8192, 4096);
	assert_int_equal(farmem_request_map(&request, &device), 0);
	assert_int_equal(request.send.sge_count, 4);
	expect_sge(0, 512, 256 << 10);
	expect_sge(1, 512 + (256 << 10), 256 << 10);
	expect_sge(2, 512 + (512 << 10), 4096);
	expect_sge(3, 8192, 4096);
}

/* Of page states, and of heartbeats. */
static void so_is_memory_of_our_own(void **state)
{
	(void)state;
	begin(32, 4096);
	request.data.page = MEMORY;
	request.bytes = 12288;
	assert_int_equal(farmem_request_map(&request, &device), 0);
	assert_int_equal(request.send.sge_count, 3);
	expect_sge(2, 8192, 4096);
}

static void what_needs_too_many_never_fits(void **state)
{
	(void)state;
	begin(2, 4096);
	add(0, 12288);
	assert_int_equal(farmem_request_map(&request, &device), -EINVAL);
	assert_int_equal(unmaps, 2);
	assert_false(request.send.mapped);
}

static void a_shortage_leaves_nothing_mapped(void **state)
{
	(void)state;
	begin(32, 4096);
	add(0, 16384);
	fails_at = 3;
	assert_int_equal(farmem_request_map(&request, &device), -ENOMEM);
	assert_int_equal(unmaps, 2);
	assert_int_equal(request.send.sge_count, 0);
	assert_false(request.send.mapped);
}

static void is_that_warning(const char *text)
{
	assert_non_null(strstr(text, "sge_count == device->max_sge"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_piece_that_fits_is_one),
		cmocka_unit_test(each_piece_that_fits_is_one),
		cmocka_unit_test(a_large_one_is_cut),
		cmocka_unit_test(so_is_memory_of_our_own),
		cmocka_unit_test(what_needs_too_many_never_fits),
		cmocka_unit_test(a_shortage_leaves_nothing_mapped),
	};

	shim_fault_hook = is_that_warning;
	return cmocka_run_group_tests_name("kernel_request", tests, NULL, NULL);
}
