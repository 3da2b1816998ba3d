// SPDX-License-Identifier: GPL-2.0
/*
 * request.c - the cache of requests, and the mapping of their data.
 *
 * A request belongs to its holder: the submitter, perhaps its plug's batch,
 * then its queue's list (under the queue's lock), then its completion.
 */
#include <linux/random.h>
#include <linux/slab.h>

#include "fault.h"
#include "queue.h"
#include "request.h"

static struct kmem_cache *request_cache;
const struct farmem_target farmem_target_ready;

/* Not mempool_alloc_slab(): that forbids constructors, by a VM_BUG_ON(). */
static void *request_alloc_element(gfp_t gfp, void *cache)
{
	return farmem_fault(FARMEM_FAULT_REQUEST) ? NULL : kmem_cache_alloc(cache, gfp);
}

static void request_free_element(void *element, void *cache)
{
	kmem_cache_free(cache, element);
}

mempool_t *farmem_request_pool(unsigned int min, gfp_t gfp)
{
	return farmem_fault_alloc(mempool_create_node(min, request_alloc_element,
						      request_free_element, request_cache,
						      gfp, NUMA_NO_NODE));
}

void farmem_request_free(struct farmem_request *req)
{
	mempool_free(req, req->pool);
}

static enum dma_data_direction request_direction(const struct farmem_request *req)
{
	return req->op == FARMEM_OP_READ ? DMA_FROM_DEVICE : DMA_TO_DEVICE;
}

static __always_inline int request_map_sge(const struct farmem_request *req,
					   struct farmem_device *device, struct ib_sge *sge,
					   const struct bio_vec *bv)
{
	if (bv->bv_len > farmem_fault_said(FARMEM_SAY_MAX_MAPPING, bv->bv_len))
		return -ENOMEM;
	sge->addr = ib_dma_map_page(device->dev, bv->bv_page, bv->bv_offset, bv->bv_len,
				    request_direction(req));
	if (ib_dma_mapping_error(device->dev, sge->addr))
		return -ENOMEM;
	sge->length = bv->bv_len;
	sge->lkey = device->pd->local_dma_lkey;
	return 0;
}

/* A piece of memory may be more than one mapping can have: less where swiotlb bounces. */
static int request_map_piece(struct farmem_request *req, struct farmem_device *device,
			     struct bio_vec bv)
{
	struct bio_vec part = bv;
	int err;

	for (; bv.bv_len; bv.bv_offset += part.bv_len, bv.bv_len -= part.bv_len) {
		part.bv_offset = bv.bv_offset;
		part.bv_len = min(bv.bv_len, device->max_segment);
		/* The disk's limits, and a transfer's, count as this cuts. */
		if (WARN_ON_ONCE(req->send.sge_count == device->max_sge))
			return -EINVAL;
		err = request_map_sge(req, device, &req->send.sge[req->send.sge_count], &part);
		if (err)
			return err;
		req->send.sge_count++;
	}
	return 0;
}

static noinline void request_unmap_sges(struct farmem_request *req)
{
	unsigned int i;

	for (i = 0; i < req->send.sge_count; i++)
		ib_dma_unmap_page(req->queue->device->dev, req->send.sge[i].addr,
				  req->send.sge[i].length, request_direction(req));
}

/* Where CPUs do the device's work nothing was mapped. */
static __always_inline void request_unmap(struct farmem_request *req)
{
	if (req->send.sge_count && !req->queue->device->software)
		request_unmap_sges(req);
	req->send.sge_count = 0;
	req->send.mapped = false;
	req->poll.marked = false;
}

static void request_mark(struct farmem_request *req)
{
	if (req->send.sge[req->send.sge_count - 1].length < sizeof(req->poll.mark))
		return;
	/* Knuth's MMIX generator: as good as random where nobody guesses. */
	req->poll.mark = req->poll.mark * 6364136223846793005ULL + 1442695040888963407ULL;
	memcpy(farmem_request_tail(req), &req->poll.mark, sizeof(req->poll.mark));
	req->poll.marked = true;
}

static noinline int request_map_pieces(struct farmem_request *req, struct farmem_device *device,
				       struct bio_vec first)
{
	struct bvec_iter iter;
	struct bio_vec bv;
	int err;

	if (!req->data.bio)
		return request_map_piece(req, device, first);
	bio_for_each_bvec(bv, req->data.bio, iter) {
		err = request_map_piece(req, device, bv);
		if (err)
			return err;
	}
	return 0;
}

/* The first piece of its memory, mostly all of it. */
static __always_inline struct bio_vec request_memory(const struct farmem_request *req)
{
	const struct bio *bio = req->data.bio;

	if (likely(bio))
		return mp_bvec_iter_bvec(bio->bi_io_vec, bio->bi_iter);
	return (struct bio_vec){
		.bv_page = req->data.page,
		.bv_len = req->bytes,
		.bv_offset = req->data.offset,
	};
}

/* One mapping, the usual case, is no loop. */
static __always_inline int request_map_data(struct farmem_request *req,
					    struct farmem_device *device)
{
	struct bio_vec bv = request_memory(req);
	int err;

	if (unlikely(bv.bv_len != req->bytes || bv.bv_len > device->max_segment))
		return request_map_pieces(req, device, bv);
	err = request_map_sge(req, device, req->send.sge, &bv);
	if (likely(!err))
		req->send.sge_count = 1;
	return err;
}

int farmem_request_map(struct farmem_request *req, struct farmem_device *device)
{
	int err = 0;

	if (farmem_fault(FARMEM_FAULT_MAP))
		return -ENOMEM;
	if (farmem_fault(FARMEM_FAULT_MAP_HARD))
		return -EINVAL;
	if (req->op < FARMEM_OP_ZERO)
		err = request_map_data(req, device);
	if (err) {
		request_unmap(req);
		return err;
	}
	if (device->software && req->op == FARMEM_OP_READ)
		request_mark(req);
	req->send.mapped = true;
	return 0;
}

void farmem_request_finish(struct farmem_request *req, blk_status_t status)
{
	bool polled = req->poll.on;

	req->ops->done(req, status);
	if (!polled || xchg(&req->poll.wait, FARMEM_WAIT_DONE) ==
			       FARMEM_WAIT_ABANDONED)
		farmem_request_free(req);
}

void farmem_request_complete(struct farmem_request *req, blk_status_t status)
{
	request_unmap(req);
	if (unlikely(req->checked) && !status && !req->ops->verify(req, &status))
		return;
	if (unlikely(status == BLK_STS_TRANSPORT) && req->ops->park &&
	    req->ops->park(req))
		return;
	farmem_request_finish(req, status);
}

void farmem_request_abandon(struct farmem_request *req)
{
	if (READ_ONCE(req->poll.wait) == FARMEM_WAIT_DONE ||
	    xchg(&req->poll.wait, FARMEM_WAIT_ABANDONED) == FARMEM_WAIT_DONE)
		farmem_request_free(req);
}

/*
 * Between its uses a request is unmapped: farmem_request_alloc() need not say so.
 *
 * Constructed objects are not cleared at every allocation where the kernel is
 * told to do that (init_on_alloc, Debian's default): a kilobyte for each I/O.
 */
static void request_construct(void *object)
{
	struct farmem_request *req = object;

	memset(req, 0, sizeof(*req));
	req->poll.mark = get_random_u64();
}

int farmem_request_init(void)
{
	request_cache = kmem_cache_create("farmem_request",
					  sizeof(struct farmem_request), 0,
					  SLAB_HWCACHE_ALIGN, request_construct);
	return request_cache ? 0 : -ENOMEM;
}

void farmem_request_exit(void)
{
	kmem_cache_destroy(request_cache);
}
