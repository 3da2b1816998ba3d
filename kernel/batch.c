// SPDX-License-Identifier: GPL-2.0
/*
 * batch.c - requests gathered under a block plug, posted as one.
 *
 * Reclaim, readahead, libaio and io_uring plug while they submit.  What they
 * submit meanwhile to one queue goes as one chain with one doorbell.
 */
#include <linux/blkdev.h>
#include <linux/slab.h>

#include "batch.h"
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

struct batch {
	struct blk_plug_cb cb;		/* ->data is the queue */
	struct list_head requests;
	unsigned int count;
	unsigned int bytes;
};

/* Perhaps on the way into schedule(): nothing here sleeps. */
static void unplug(struct blk_plug_cb *cb, bool from_schedule)
{
	struct batch *batch = container_of(cb, struct batch, cb);

	/* As in farmem_queue_post_list(): the module waits for this as well. */
	rcu_read_lock();
	farmem_queue_post_list(cb->data, &batch->requests);
	kfree(batch);
	rcu_read_unlock();
}

bool farmem_batch_add(struct farmem_queue *q, struct farmem_request *req)
{
	struct blk_plug_cb *cb = blk_check_plugged(unplug, q,
						   sizeof(struct batch));
	struct batch *batch = container_of(cb, struct batch, cb);

	if (!cb)
		return false;
	if (!batch->requests.next)
		INIT_LIST_HEAD(&batch->requests);
	if (batch->count >= BATCH_REQUESTS || batch->bytes >= BATCH_BYTES) {
		farmem_queue_post_list(q, &batch->requests);
		INIT_LIST_HEAD(&batch->requests);
		batch->count = batch->bytes = 0;
	}
	list_add_tail(&req->entry, &batch->requests);
	batch->count++;
	batch->bytes += req->bytes;
	return true;
}
