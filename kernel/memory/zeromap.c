// SPDX-License-Identifier: GPL-2.0
/*
 * zeromap.c - the bits behind discard, write-zeroes and freed swap slots.
 *
 * Readers look at single bits without a lock: a read that runs beside a write
 * or a discard of the same page may see either, and the other when it looks again.
 * Bits change by atomic operations, as many as are in a word at once, since
 * farmem_zeromap_freed() takes no lock.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "farmem-proto.h"
#include "fault.h"
#include "zeromap.h"

/* As FARMEM_GFP_MAY_FAIL has it: a volume that is opened has its session's lock. */
#define ZEROMAP_GFP (GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN | __GFP_ZERO)

int farmem_zeromap_init(struct farmem_zeromap *map, u64 pages)
{
	size_t bytes = BITS_TO_LONGS(pages) * sizeof(long);
	unsigned int i;

	for (i = 0; i < FARMEM_ZEROMAP_LOCKS; i++)
		spin_lock_init(&map->changes[i].lock);
	spin_lock_init(&map->lock);
	map->busy = RB_ROOT;
	map->pages = pages;
	map->dirty = false;
	map->doubtful = false;
	map->zero = farmem_fault_alloc(__vmalloc(bytes, ZEROMAP_GFP));
	map->stored = farmem_fault_alloc(__vmalloc(bytes, ZEROMAP_GFP));
	if (map->zero && map->stored)
		return 0;
	farmem_zeromap_free(map);
	return -ENOMEM;
}

void farmem_zeromap_free(struct farmem_zeromap *map)
{
	vfree(map->zero);
	vfree(map->stored);
	map->zero = NULL;
	map->stored = NULL;
}

void farmem_zeromap_load(struct farmem_zeromap *map, u64 first,
			 const u8 *states, u64 count)
{
	u64 i;

	for (i = 0; i < count && first + i < map->pages; i++) {
		if (states[i] != FARMEM_PAGE_DATA)
			set_bit(first + i, map->stored);
		if (states[i] == FARMEM_PAGE_ZERO)
			set_bit(first + i, map->zero);
	}
}

void farmem_zeromap_store(const struct farmem_zeromap *map, u64 first,
			  u8 *states, u64 count)
{
	u64 i;

	for (i = 0; i < count; i++)
		states[i] = first + i < map->pages &&
			    test_bit(first + i, map->stored) &&
			    test_bit(first + i, map->zero) ?
				    FARMEM_PAGE_ZERO : FARMEM_PAGE_DATA;
}

u64 farmem_zeromap_alike(const struct farmem_zeromap *map, u64 first, u64 count, bool zero)
{
	u64 end = first + count;

	/* Not from @first, which may be the other by now. */
	if (zero)
		return find_next_zero_bit(map->zero, end, first + 1) - first;
	return find_next_bit(map->zero, end, first + 1) - first;
}

bool farmem_zeromap_stored(const struct farmem_zeromap *map, u64 first,
			   u64 count)
{
	if (count == 1)
		return test_bit(first, map->stored);
	return find_next_bit(map->stored, first + count, first) < first + count;
}

/* Into @map->busy, or the range there that has a page of it. */
static struct farmem_zero_range *zeromap_claim(struct farmem_zeromap *map,
					       struct farmem_zero_range *range)
{
	struct rb_node **link = &map->busy.rb_node, *parent = NULL;
	struct farmem_zero_range *other;

	while (*link) {
		parent = *link;
		other = rb_entry(parent, struct farmem_zero_range, node);
		if (range->first + range->count <= other->first)
			link = &parent->rb_left;
		else if (other->first + other->count <= range->first)
			link = &parent->rb_right;
		else
			return other;
	}
	bio_list_init(&range->bios);
	INIT_LIST_HEAD(&range->requests);
	rb_link_node(&range->node, parent, link);
	rb_insert_color(&range->node, &map->busy);
	return NULL;
}

bool farmem_zeromap_begin(struct farmem_zeromap *map,
			  struct farmem_zero_range *range, struct bio *bio)
{
	struct farmem_zero_range *other;
	unsigned long flags;

	spin_lock_irqsave(&map->lock, flags);
	other = zeromap_claim(map, range);
	if (other)
		bio_list_add(&other->bios, bio);
	spin_unlock_irqrestore(&map->lock, flags);
	return !other;
}

bool farmem_zeromap_begin_request(struct farmem_zeromap *map,
				  struct farmem_zero_range *range,
				  struct list_head *request)
{
	struct farmem_zero_range *other;
	unsigned long flags;

	spin_lock_irqsave(&map->lock, flags);
	other = zeromap_claim(map, range);
	if (other && request)
		list_move_tail(request, &other->requests);
	spin_unlock_irqrestore(&map->lock, flags);
	return !other;
}

void farmem_zeromap_end(struct farmem_zeromap *map,
			struct farmem_zero_range *range)
{
	unsigned long flags;

	spin_lock_irqsave(&map->lock, flags);
	rb_erase(&range->node, &map->busy);
	spin_unlock_irqrestore(&map->lock, flags);
}

enum change {
	WRITTEN,	/* data is there */
	RESET,		/* and the state byte says so */
	ZEROED,
	DOUBTED,
};

static void zeromap_set_bits(unsigned long *word, unsigned long bits)
{
	atomic_long_or(bits, (atomic_long_t *)word);
}

static void zeromap_clear_bits(unsigned long *word, unsigned long bits)
{
	atomic_long_andnot(bits, (atomic_long_t *)word);
}

/* The chunk's lock is held: nobody else changes @stored. */
static void zeromap_change_word(struct farmem_zeromap *map, size_t word,
				unsigned long pages, enum change change)
{
	unsigned long *stored = &map->stored[word];

	switch (change) {
	case WRITTEN:
		/* As in zeromap_page_written(). */
		zeromap_clear_bits(&map->zero[word], pages & ~READ_ONCE(*stored));
		break;
	case RESET:
		zeromap_clear_bits(stored, pages);
		zeromap_clear_bits(&map->zero[word], pages);
		break;
	case ZEROED:
		zeromap_set_bits(stored, pages);
		zeromap_set_bits(&map->zero[word], pages);
		break;
	case DOUBTED:
		zeromap_set_bits(stored, pages);
		break;
	}
}

static void zeromap_change_words(struct farmem_zeromap *map, u64 first, u64 end,
				 enum change change)
{
	unsigned long pages;
	u64 next;

	for (; first < end; first = next) {
		pages = BITMAP_FIRST_WORD_MASK(first);
		next = round_down(first, BITS_PER_LONG) + BITS_PER_LONG;
		if (next > end) {
			pages &= BITMAP_LAST_WORD_MASK(end);
			next = end;
		}
		zeromap_change_word(map, first / BITS_PER_LONG, pages, change);
	}
}

static spinlock_t *zeromap_lock_of(struct farmem_zeromap *map, u64 chunk)
{
	return &map->changes[chunk % FARMEM_ZEROMAP_LOCKS].lock;
}

/* A page changes at once, a range in bounded pieces: others may come between. */
static void zeromap_change_pages(struct farmem_zeromap *map, u64 first, u64 count,
				 enum change change)
{
	u64 end = first + count, chunk, next;
	unsigned long flags;
	spinlock_t *lock;

	for (; first < end; first = next) {
		chunk = first / FARMEM_ZEROMAP_CHUNK;
		next = min(end, (chunk + 1) * FARMEM_ZEROMAP_CHUNK);
		lock = zeromap_lock_of(map, chunk);
		spin_lock_irqsave(lock, flags);
		zeromap_change_words(map, first, next, change);
		spin_unlock_irqrestore(lock, flags);
	}
}

/* The usual write to a swap slot that was freed before. */
static void zeromap_page_written(struct farmem_zeromap *map, u64 page)
{
	spinlock_t *lock = zeromap_lock_of(map, page / FARMEM_ZEROMAP_CHUNK);
	unsigned long flags;

	spin_lock_irqsave(lock, flags);
	/* A discard that overtook this write has the last word. */
	if (!test_bit(page, map->stored))
		clear_bit(page, map->zero);
	spin_unlock_irqrestore(lock, flags);
}

void farmem_zeromap_written(struct farmem_zeromap *map, u64 first, u64 count,
			    bool reset)
{
	if (count == 1 && !reset) {
		if (test_bit(first, map->zero))
			zeromap_page_written(map, first);
		return;
	}
	/* The usual write is of pages that were not zero. */
	if (!reset && find_next_bit(map->zero, first + count, first) >=
			      first + count)
		return;
	zeromap_change_pages(map, first, count, reset ? RESET : WRITTEN);
}

void farmem_zeromap_zeroed(struct farmem_zeromap *map, u64 first, u64 count)
{
	zeromap_change_pages(map, first, count, ZEROED);
}

void farmem_zeromap_doubted(struct farmem_zeromap *map, u64 first, u64 count)
{
	zeromap_change_pages(map, first, count, DOUBTED);
	WRITE_ONCE(map->dirty, true);
	WRITE_ONCE(map->doubtful, true);
}

void farmem_zeromap_doubt_all(struct farmem_zeromap *map)
{
	memset(map->stored, 0xff, BITS_TO_LONGS(map->pages) * sizeof(long));
	WRITE_ONCE(map->dirty, true);
}

void farmem_zeromap_freed(struct farmem_zeromap *map, u64 page)
{
	if (page >= map->pages)
		return;
	set_bit(page, map->zero);
	if (!READ_ONCE(map->dirty))
		WRITE_ONCE(map->dirty, true);
}

u64 farmem_zeromap_count(const struct farmem_zeromap *map)
{
	const u64 step = 1 << 20;
	u64 first, n = 0;

	for (first = 0; first < map->pages; first += step) {
		n += bitmap_weight(map->zero + first / BITS_PER_LONG,
				   min(step, map->pages - first));
		cond_resched();
	}
	return n;
}
