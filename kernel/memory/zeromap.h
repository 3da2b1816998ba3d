/* SPDX-License-Identifier: GPL-2.0 */
/*
 * zeromap.h - which pages of a volume read as zeros without asking the server.
 */
#ifndef FARMEM_ZEROMAP_H
#define FARMEM_ZEROMAP_H

#include <linux/bio.h>
#include <linux/cache.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/rbtree.h>
#include <linux/spinlock.h>

#include "farmem-proto.h"
#include "zero-range.h"

/*
 * The kernel swaps, maps and numbers pages of PAGE_SIZE.  A bit here, a state byte on the
 * server and a block of the disk each stand for 4 KiB.  With larger pages the module would
 * build, and lose bytes.
 */
static_assert(PAGE_SIZE == FARMEM_PAGE_SIZE,
	      "farmem.ko is for kernels with pages of 4 KiB: it takes a swap slot for a page of that size");

/*
 * Pages whose bits change under one hold of a lock: so long interrupts are off.  Swap
 * gives each CPU slots of its own, so many together: writers do not meet.
 */
#define FARMEM_ZEROMAP_CHUNK 512
#define FARMEM_ZEROMAP_LOCKS 32

struct farmem_zeromap_lock {
	spinlock_t lock;
} ____cacheline_aligned_in_smp;

/**
 * struct farmem_zeromap - two bits a page
 * @zero: the page reads as zeros
 * @stored: its state byte on the server says so too (FARMEM_PAGE_ZERO), or may, or
 *	says that it is lost (lostmap.h), so that a write to it must reset that byte
 * @pages: length of both
 * @dirty: what the server holds is not what a reload shall find: swap slots were freed,
 *	or @doubtful
 * @doubtful: some write of state bytes failed, and may have got there
 * @changes: guard changes of @stored with @zero, each of every so many chunks of pages
 * @lock: guards @busy, and what waits for a range there
 * @busy: ranges whose state bytes are being written, by their first page; none has a
 *	page of another
 *
 * Why two: a freed swap slot is noted under a spinlock, where nothing can be
 * posted, and is written again soon; with one bit that write would have to
 * reset a state byte that was never set.
 */
struct farmem_zeromap {
	unsigned long *zero;
	unsigned long *stored;
	u64 pages;
	bool dirty;
	bool doubtful;
	struct farmem_zeromap_lock changes[FARMEM_ZEROMAP_LOCKS];
	spinlock_t lock;
	struct rb_root busy;
};

/** Context: may sleep.  Return: 0 or -ENOMEM. */
int farmem_zeromap_init(struct farmem_zeromap *map, u64 pages);
void farmem_zeromap_free(struct farmem_zeromap *map);

/** farmem_zeromap_load() - take over state bytes read from the server. */
void farmem_zeromap_load(struct farmem_zeromap *map, u64 first,
			 const u8 *states, u64 count);

/**
 * farmem_zeromap_store() - the state bytes as they should be on the server
 * @map: made by farmem_zeromap_init()
 * @first: page of the first byte
 * @states: filled with FARMEM_PAGE_ZERO and FARMEM_PAGE_DATA
 * @count: bytes, one a page
 *
 * Without freed swap slots, unless their state bytes are doubted: a write to one
 * would not reset it.
 */
void farmem_zeromap_store(const struct farmem_zeromap *map, u64 first,
			  u8 *states, u64 count);

/* Of farmem_zeromap_run(). */
u64 farmem_zeromap_alike(const struct farmem_zeromap *map, u64 first, u64 count, bool zero);

/**
 * farmem_zeromap_run() - how far does what the first page is go?
 * @map: the map
 * @first: page
 * @count: pages, at least 1
 * @zero: set to whether the first page reads as zeros
 *
 * Context: any.  Return: pages, 1..@count, that are alike.
 */
static inline u64 farmem_zeromap_run(const struct farmem_zeromap *map, u64 first, u64 count,
				     bool *zero)
{
	*zero = test_bit(first, map->zero);
	return count == 1 ? 1 : farmem_zeromap_alike(map, first, count, *zero);
}

/** farmem_zeromap_stored() - does the server hold any of them as zero? */
bool farmem_zeromap_stored(const struct farmem_zeromap *map, u64 first,
			   u64 count);

/**
 * farmem_zeromap_begin() - claim a range whose state bytes will be written
 * @map: the map
 * @range: @first and @count set
 * @bio: waits for the range that is in the way
 *
 * State bytes of one page are written one after the other, whatever queues
 * they travel on: else server and client could end with different ideas.
 *
 * Context: up to softirq.  Return: true if claimed.
 */
bool farmem_zeromap_begin(struct farmem_zeromap *map,
			  struct farmem_zero_range *range, struct bio *bio);

/**
 * farmem_zeromap_begin_request() - the same for a request
 * @map: made by farmem_zeromap_init()
 * @range: @first and @count set
 * @request: its @entry, moved from its list to that of the range in the way; NULL: it
 *	does not wait
 */
bool farmem_zeromap_begin_request(struct farmem_zeromap *map,
				  struct farmem_zero_range *range,
				  struct list_head *request);

/**
 * farmem_zeromap_end() - the state bytes are written, or failed
 * @map: where the range was claimed
 * @range: claimed; @bios and @requests are to be tried again by the caller
 */
void farmem_zeromap_end(struct farmem_zeromap *map,
			struct farmem_zero_range *range);

/**
 * farmem_zeromap_written() - data is on the server
 * @map: made by farmem_zeromap_init()
 * @first: index of the first page in the volume
 * @count: pages, at least 1
 * @reset: its state bytes were reset with it
 */
void farmem_zeromap_written(struct farmem_zeromap *map, u64 first, u64 count,
			    bool reset);

/** farmem_zeromap_zeroed() - the state bytes on the server say zero. */
void farmem_zeromap_zeroed(struct farmem_zeromap *map, u64 first, u64 count);

/**
 * farmem_zeromap_doubted() - the state bytes on the server may not say "data"
 * @map: made by farmem_zeromap_init()
 * @first: index of the first page in the volume
 * @count: pages, at least 1
 *
 * The next write there resets them.  The client's next life must read the same bytes as
 * this one, so all state bytes are written when the session comes back.
 */
void farmem_zeromap_doubted(struct farmem_zeromap *map, u64 first, u64 count);

/**
 * farmem_zeromap_doubt_all() - the same of all pages; power-off stores all states
 * @map: made by farmem_zeromap_init()
 *
 * Context: no request of the volume is in flight.
 */
void farmem_zeromap_doubt_all(struct farmem_zeromap *map);

/** farmem_zeromap_freed() - a swap slot is free.  Context: any, spinlocks held. */
void farmem_zeromap_freed(struct farmem_zeromap *map, u64 page);

/** farmem_zeromap_count() - pages that read as zeros.  Slow: for sysfs. */
u64 farmem_zeromap_count(const struct farmem_zeromap *map);

#endif /* FARMEM_ZEROMAP_H */
