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

/*
 * Bytes of writes in a queue at which a submitter that may sleep waits: more than a link
 * of 400 Gb/s with a round trip of 20 us has under way.
 */
#define FARMEM_POST_WRITE_BYTES (1u << 20)

/*
 * The same for swap's, where CPUs do the adapter's work: a task that reclaims is about to
 * read, and its read would wait for all of them.
 */
#define FARMEM_POST_PACED_BYTES (64u << 10)

/* What a read may come on top of: it waits for no writes. */
#define FARMEM_POST_READ UINT_MAX

/** farmem_post_most() - bytes of writes that one more, perhaps of swap, may come on top of. */
static inline unsigned int farmem_post_most(const struct farmem_queue *q, bool swap)
{
	return (q->software && swap ? FARMEM_POST_PACED_BYTES : FARMEM_POST_WRITE_BYTES) - 1;
}

/** farmem_post_low() - down to so many do writers wait that have to. */
static inline unsigned int farmem_post_low(const struct farmem_queue *q)
{
	return (farmem_post_most(q, true) + 1) / 2;
}

/**
 * farmem_post_has_room() - is there no need to wait before posting to it?
 * @q: about to be posted to
 * @most: bytes of writes that it may have: FARMEM_POST_READ, or farmem_post_most(). A write
 *	waits behind those that wait, unless there are no more than farmem_post_low()
 */
bool farmem_post_has_room(struct farmem_queue *q, unsigned int most);

/**
 * farmem_post_throttle() - wait while the queue has enough to do
 * @q: about to be posted to
 * @most: as for farmem_post_has_room()
 *
 * Without this a writer faster than the link would put all pages of a cgroup
 * under writeback, reclaim would find nothing to free, and the OOM killer
 * would come: multi-generational LRU (6.12) does not wait for writeback.
 *
 * Context: may sleep; bounded by what bounds the requests in flight.
 */
void farmem_post_throttle(struct farmem_queue *q, unsigned int most);

#endif /* FARMEM_POST_H */
