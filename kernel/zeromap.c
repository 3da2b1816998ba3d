// SPDX-License-Identifier: GPL-2.0
/*
 * zeromap.c - the bits behind discard, write-zeroes and freed swap slots.
 *
 * Readers look at single bits without a lock: a read that runs beside a write
 * or a discard of the same page may see either, and the other when it looks again.
 * Bits change one by one with atomic operations, since farmem_zeromap_freed() takes
 * no lock.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "farmem-proto.h"
#include "fault.h"
#include "zeromap.h"

int farmem_zeromap_init(struct farmem_zeromap *map, u64 pages)
{
	size_t bytes = BITS_TO_LONGS(pages) * sizeof(long);

	spin_lock_init(&map->lock);
	INIT_LIST_HEAD(&map->busy);
	bio_list_init(&map->blocked);
	map->pages = pages;
	map->dirty = false;
	map->doubtful = false;
	map->zero = farmem_fault_alloc(vzalloc(bytes));
	map->stored = farmem_fault_alloc(vzalloc(bytes));
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

u64 farmem_zeromap_run(const struct farmem_zeromap *map, u64 first, u64 count,
		       bool *zero)
{
	u64 end = first + count;

	*zero = test_bit(first, map->zero);
	if (count == 1)
		return 1;
	/* Not from @first, which may be the other by now. */
	if (*zero)
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

bool farmem_zeromap_begin(struct farmem_zeromap *map,
			  struct farmem_zero_range *range, struct bio *bio)
{
	struct farmem_zero_range *other;
	unsigned long flags;
	bool claimed = true;

	spin_lock_irqsave(&map->lock, flags);
	list_for_each_entry(other, &map->busy, entry) {
		if (range->first < other->first + other->count &&
		    other->first < range->first + range->count) {
			if (bio)
				bio_list_add(&map->blocked, bio);
			claimed = false;
			break;
		}
	}
	if (claimed)
		list_add(&range->entry, &map->busy);
	spin_unlock_irqrestore(&map->lock, flags);
	return claimed;
}

void farmem_zeromap_end(struct farmem_zeromap *map,
			struct farmem_zero_range *range,
			struct bio_list *blocked)
{
	unsigned long flags;

	spin_lock_irqsave(&map->lock, flags);
	list_del(&range->entry);
	*blocked = map->blocked;
	bio_list_init(&map->blocked);
	spin_unlock_irqrestore(&map->lock, flags);
}

void farmem_zeromap_written(struct farmem_zeromap *map, u64 first, u64 count,
			    bool reset)
{
	unsigned long flags;
	u64 page;

	/* The usual write is of pages that were not zero. */
	if (!reset && find_next_bit(map->zero, first + count, first) >=
			      first + count)
		return;

	spin_lock_irqsave(&map->lock, flags);
	for (page = first; page < first + count; page++) {
		if (reset)
			clear_bit(page, map->stored);
		/* A discard that overtook this write has the last word. */
		if (!test_bit(page, map->stored))
			clear_bit(page, map->zero);
	}
	spin_unlock_irqrestore(&map->lock, flags);
}

void farmem_zeromap_zeroed(struct farmem_zeromap *map, u64 first, u64 count)
{
	unsigned long flags;
	u64 page;

	spin_lock_irqsave(&map->lock, flags);
	for (page = first; page < first + count; page++) {
		set_bit(page, map->stored);
		set_bit(page, map->zero);
	}
	spin_unlock_irqrestore(&map->lock, flags);
}

void farmem_zeromap_doubted(struct farmem_zeromap *map, u64 first, u64 count)
{
	unsigned long flags;
	u64 page;

	spin_lock_irqsave(&map->lock, flags);
	for (page = first; page < first + count; page++)
		set_bit(page, map->stored);
	WRITE_ONCE(map->dirty, true);
	WRITE_ONCE(map->doubtful, true);
	spin_unlock_irqrestore(&map->lock, flags);
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
