/* SPDX-License-Identifier: GPL-2.0 */
/*
 * batch.h - requests gathered under a block plug.
 */
#ifndef FARMEM_BATCH_H
#define FARMEM_BATCH_H

#include <linux/blkdev.h>

#include "compat.h"

struct farmem_queue;
struct farmem_request;

/* Of farmem_batch_add(), by itself: a task without a plug saves no registers. */
void farmem_batch_add_to(struct blk_plug *plug, struct farmem_queue *q,
			 struct farmem_request *req);

/**
 * farmem_batch_add() - post a request when this task unplugs
 * @q: as for farmem_post_request()
 * @req: that nobody polls for
 *
 * Context: process.
 * Return: false if the task has no plug: post it at once.
 */
static inline bool farmem_batch_add(struct farmem_queue *q, struct farmem_request *req)
{
	struct blk_plug *plug = farmem_submitters_plug();

	if (plug)
		farmem_batch_add_to(plug, q, req);
	return plug;
}

#endif /* FARMEM_BATCH_H */
