// SPDX-License-Identifier: GPL-2.0
/*
 * batch.c - requests gathered under a block plug, posted as one.
 *
 * Reclaim, readahead, libaio and io_uring plug while they submit.  What they
 * submit meanwhile to one queue goes together.  The note in the plug lies in the
 * first of the requests: blk_check_plugged() would allocate one.
 */
#include <linux/blkdev.h>

#include "batch.h"
#include "post.h"
#include "queue.h"

/*
 * Reclaim submits up to 32 pages and only then puts them back on their list.  A
 * page whose write ends before that looks young there, and reclaim writes all
 * the others before it comes back (Linux 6.1: folio_rotate_reclaimable() skips
 * what is isolated).  So a batch holds more than that, and a full one goes when
 * the next request comes.
 */
#define BATCH_REQUESTS 64
#define BATCH_BYTES (256 << 10)

/*
 * Multi-generational LRU looks again at such pages by itself.  There a shorter batch lets
 * the adapter begin sooner, and a fault waits for less.
 */
#define BATCH_LRU_GEN 16

static unsigned int batch_most(const struct farmem_request *first)
{
	return IS_ENABLED(CONFIG_LRU_GEN_ENABLED) && first->swap &&
	       first->op == FARMEM_OP_WRITE ? BATCH_LRU_GEN : BATCH_REQUESTS;
}

static struct farmem_request *batch_first(struct blk_plug_cb *cb)
{
	return container_of(cb, struct farmem_request, batch.cb);
}

static void batch_post(struct farmem_request *first)
{
	LIST_HEAD(requests);

	list_splice(&first->batch.requests, &requests);
	farmem_post_list(first->batch.cb.data, &requests);
}

/* Perhaps on the way into schedule(): nothing here sleeps. */
static void batch_unplug(struct blk_plug_cb *cb, bool from_schedule)
{
	batch_post(batch_first(cb));
}

static struct farmem_request *batch_find(struct blk_plug *plug,
					 const struct farmem_queue *q)
{
	struct blk_plug_cb *cb;

	list_for_each_entry(cb, &plug->cb_list, list)
		if (cb->callback == batch_unplug && cb->data == q)
			return batch_first(cb);
	return NULL;
}

static void batch_begin(struct blk_plug *plug, struct farmem_queue *q,
			struct farmem_request *first)
{
	struct farmem_batch *batch = &first->batch;

	batch->cb.callback = batch_unplug;
	batch->cb.data = q;
	INIT_LIST_HEAD(&batch->requests);
	batch->count = batch->bytes = 0;
	list_add(&batch->cb.list, &plug->cb_list);
}

bool farmem_batch_add(struct farmem_queue *q, struct farmem_request *req)
{
	struct blk_plug *plug = farmem_submitters_plug();
	struct farmem_request *first;

	if (!plug)
		return false;
	first = batch_find(plug, q);
	if (first && (first->batch.count >= batch_most(first) ||
		      first->batch.bytes >= BATCH_BYTES)) {
		list_del(&first->batch.cb.list);
		batch_post(first);
		first = NULL;
	}
	if (!first) {
		first = req;
		batch_begin(plug, q, first);
	}
	list_add_tail(&req->entry, &first->batch.requests);
	first->batch.count++;
	first->batch.bytes += req->bytes;
	return true;
}
