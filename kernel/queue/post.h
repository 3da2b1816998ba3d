/* SPDX-License-Identifier: GPL-2.0 */
/*
 * post.h - from a request to the send queue.
 */
#ifndef FARMEM_POST_H
#define FARMEM_POST_H

#include "queue.h"

/**
 * farmem_post_request() - hand a request over; it will be completed
 * @q: of the session of its extent
 * @req: with @extent and @within; address and key are looked up when it is posted
 *
 * A full send queue or a failed mapping parks it on @waiting and is tried
 * again (@req->delayed tells); a queue that is not live completes it with
 * BLK_STS_TRANSPORT, which parks it if @req->ops wants that.
 *
 * Context: any up to softirq; never sleeps.
 */
void farmem_post_request(struct farmem_queue *q, struct farmem_request *req);

/**
 * farmem_post_list() - the same for several, a doorbell for each 32
 * @q: the queue of all of them
 * @requests: linked by @entry; the head is undefined afterwards
 */
void farmem_post_list(struct farmem_queue *q, struct list_head *requests);

/**
 * farmem_post_waiting() - post what fits of @q->waiting
 * @q: its lock held
 * @arm: ask for an interrupt if anything is in flight
 */
void farmem_post_waiting(struct farmem_queue *q, bool arm);

#endif /* FARMEM_POST_H */
