/* SPDX-License-Identifier: GPL-2.0 */
/*
 * throttle.h - submitters that may sleep wait while their queue has enough to do.
 */
#ifndef FARMEM_THROTTLE_H
#define FARMEM_THROTTLE_H

#include "queue.h"

/*
 * Bytes of writes in a queue at which a submitter that may sleep waits: more than a link
 * of 400 Gb/s with a round trip of 20 us has under way.
 */
#define FARMEM_THROTTLE_BYTES (1u << 20)

/*
 * The same for swap's, where CPUs do the adapter's work: a task that reclaims is about to
 * read, and its read would wait for all of them.
 */
#define FARMEM_THROTTLE_PACED_BYTES (64u << 10)

/* What a read may come on top of: it waits for no writes. */
#define FARMEM_THROTTLE_READ UINT_MAX

/** farmem_throttle_bytes() - bytes of writes that a queue may have, perhaps for swap. */
static inline unsigned int farmem_throttle_bytes(const struct farmem_queue *q, bool swap)
{
	return q->software && swap ? FARMEM_THROTTLE_PACED_BYTES : FARMEM_THROTTLE_BYTES;
}

/** farmem_throttle_low() - down to so many bytes do writers wait that have to. */
static inline unsigned int farmem_throttle_low(const struct farmem_queue *q)
{
	return farmem_throttle_bytes(q, true) / 2;
}

/**
 * farmem_throttle_most() - bytes of writes that one more may come on top of
 * @q: about to be posted to
 * @swap: it is swap's
 * @bytes: of it: a large one may come on top of less.  Linux 7.3 joins swap's pages
 */
static inline unsigned int farmem_throttle_most(const struct farmem_queue *q, bool swap,
						unsigned int bytes)
{
	unsigned int all = farmem_throttle_bytes(q, swap), low = farmem_throttle_low(q);
	unsigned int more = max_t(unsigned int, bytes, FARMEM_PAGE_SIZE) - FARMEM_PAGE_SIZE;

	return more < all - low ? all - more - 1 : low;
}

/**
 * farmem_throttle_has_room() - is there no need to wait before posting to it?
 * @q: about to be posted to
 * @most: bytes of writes that it may have: FARMEM_THROTTLE_READ, or farmem_throttle_most().
 *	A write waits behind those that wait, unless there are no more than
 *	farmem_throttle_low()
 */
bool farmem_throttle_has_room(struct farmem_queue *q, unsigned int most);

/**
 * farmem_throttle_wait() - wait while the queue has enough to do
 * @q: about to be posted to
 * @most: as for farmem_throttle_has_room()
 *
 * Without this a writer faster than the link would put all pages of a cgroup
 * under writeback, reclaim would find nothing to free, and the OOM killer
 * would come: multi-generational LRU (6.12) does not wait for writeback.
 *
 * Context: may sleep; bounded by what bounds the requests in flight.
 */
void farmem_throttle_wait(struct farmem_queue *q, unsigned int most);

#endif /* FARMEM_THROTTLE_H */
