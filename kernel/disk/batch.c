// SPDX-License-Identifier: GPL-2.0
/*
 * batch.c - requests gathered under a block plug, posted as one.
 *
 * Reclaim, readahead, libaio and io_uring plug while they submit.  What they
 * submit meanwhile to one queue goes together.  The note in the plug lies in the
 * first of the requests: blk_check_plugged() would allocate one.
 *
 * Of a window that swap reads ahead, the page that the task faulted on goes first, on a
 * queue that is polled, and the others go behind it on theirs.  The task then polls for its
 * own (fastswap: E. Amaro et al., "Can Far Memory Improve Job Throughput?", EuroSys 2020).
 */
#include <linux/blkdev.h>

#include "batch.h"
#include "compat.h"
#include "poll.h"
#include "post.h"
#include "queue.h"
#include "session.h"

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
	return IS_ENABLED(CONFIG_LRU_GEN_ENABLED) && (first->opf & REQ_SWAP) &&
	       first->op == FARMEM_OP_WRITE ? BATCH_LRU_GEN : BATCH_REQUESTS;
}

static struct farmem_request *batch_first(struct blk_plug_cb *cb)
{
	return container_of(cb, struct farmem_request, batch.cb);
}

/* The page that a request of swap's reads into, or NULL: it is none. */
static struct page *batch_swapping(const struct farmem_request *req)
{
	struct page *page;

	if (req->op != FARMEM_OP_READ || !req->data.bio)
		return NULL;
	page = bio_iovec(req->data.bio).bv_page;
	return farmem_page_swapping(page) ? page : NULL;
}

/*
 * The one that the task waits for.  madvise() marks no page: of several that could be it
 * none is.  A kernel thread reads for another task.
 */
static struct farmem_request *batch_demanded(const struct list_head *requests)
{
	struct farmem_request *req, *found = NULL;
	struct page *page;

	if (current->flags & PF_KTHREAD)
		return NULL;
	list_for_each_entry(req, requests, entry) {
		page = batch_swapping(req);
		if (!page)
			return NULL;
		if (farmem_page_ahead(page))
			continue;
		if (found)
			return NULL;
		found = req;
	}
	return found;
}

/*
 * Where CPUs do the adapter's work the task is preempted for all of the window in any case:
 * docs/design/decisions/035-the-faulted-page-first.md.  It is looked for there if it is
 * measured.
 */
static void batch_post(struct farmem_request *first, bool may_sleep)
{
	struct farmem_queue *q = first->batch.cb.data;
	struct farmem_request *demanded = NULL;
	LIST_HEAD(requests);

	list_splice(&first->batch.requests, &requests);
	if (may_sleep && (!q->software || first->arrived))
		demanded = batch_demanded(&requests);
	if (demanded)
		demanded->fault = true;
	if (demanded && !q->software) {
		list_del(&demanded->entry);
		farmem_poll_first(farmem_session_queue(q->session, FARMEM_QUEUE_POLL),
				  demanded, q, &requests);
	} else {
		farmem_post_list(q, &requests);
	}
}

/* On the way into schedule() nothing here may sleep, so nobody polls. */
static void batch_unplug(struct blk_plug_cb *cb, bool from_schedule)
{
	batch_post(batch_first(cb), !from_schedule);
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

void farmem_batch_add_to(struct blk_plug *plug, struct farmem_queue *q,
			 struct farmem_request *req)
{
	struct farmem_request *first = batch_find(plug, q);

	if (first && (first->batch.count >= batch_most(first) ||
		      first->batch.bytes >= BATCH_BYTES)) {
		list_del(&first->batch.cb.list);
		batch_post(first, false);
		first = NULL;
	}
	if (!first) {
		first = req;
		batch_begin(plug, q, first);
	}
	list_add_tail(&req->entry, &first->batch.requests);
	first->batch.count++;
	first->batch.bytes += req->bytes;
}
