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

/* Enough to share a doorbell; more would only keep the link idle. */
#define BATCH_REQUESTS 16
#define BATCH_BYTES (128 << 10)

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

	if (batch->count)
		farmem_queue_post_list(cb->data, &batch->requests);
	kfree(batch);
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
	list_add_tail(&req->entry, &batch->requests);
	batch->bytes += req->bytes;
	if (++batch->count >= BATCH_REQUESTS || batch->bytes >= BATCH_BYTES) {
		farmem_queue_post_list(q, &batch->requests);
		INIT_LIST_HEAD(&batch->requests);
		batch->count = batch->bytes = 0;
	}
	return true;
}
