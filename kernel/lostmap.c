// SPDX-License-Identifier: GPL-2.0
/*
 * lostmap.c - the pages whose only copy was in memory that is gone.
 *
 * Bits are set while no request is in flight, and cleared one by one as pages are
 * written.  A read looks when it has succeeded: so neither one that was on its way
 * when the memory went nor one that is replayed slips through.
 */
#include <linux/bitmap.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "farmem-proto.h"
#include "fault.h"
#include "lostmap.h"
#include "zeromap.h"

static int allocate(struct farmem_lostmap *map, u64 pages)
{
	unsigned long *lost;

	if (map->lost)
		return 0;
	lost = farmem_fault_alloc(vzalloc(BITS_TO_LONGS(pages) * sizeof(long)));
	if (!lost)
		return -ENOMEM;
	map->pages = pages;
	/* With its bits: whoever sees it looks into it. */
	smp_store_release(&map->lost, lost);
	return 0;
}

int farmem_lostmap_take(struct farmem_lostmap *map,
			struct farmem_zeromap *zeromap)
{
	u64 page;
	int err;

	err = allocate(map, zeromap->pages);
	if (err)
		return err;
	for (page = 0; page < map->pages; page++) {
		if (!test_bit(page, zeromap->zero))
			set_bit(page, map->lost);
		if (!(page % (1 << 20)))
			cond_resched();
	}
	farmem_zeromap_doubt_all(zeromap);
	return 0;
}

int farmem_lostmap_load(struct farmem_lostmap *map, u64 pages, u64 first,
			const u8 *states, u64 count)
{
	u64 i;
	int err;

	for (i = 0; i < count && first + i < pages; i++) {
		if (states[i] == FARMEM_PAGE_DATA ||
		    states[i] == FARMEM_PAGE_ZERO)
			continue;
		err = allocate(map, pages);
		if (err)
			return err;
		set_bit(first + i, map->lost);
	}
	return 0;
}

void farmem_lostmap_store(const struct farmem_lostmap *map, u64 first,
			  u8 *states, u64 count)
{
	u64 i;

	if (!map->lost)
		return;
	for (i = 0; i < count && first + i < map->pages; i++)
		if (states[i] == FARMEM_PAGE_DATA &&
		    test_bit(first + i, map->lost))
			states[i] = FARMEM_PAGE_LOST;
}

u64 farmem_lostmap_count(const struct farmem_lostmap *map,
			 const struct farmem_zeromap *zeromap)
{
	u64 page, n = 0;

	if (!READ_ONCE(map->lost))
		return 0;
	for (page = find_next_bit(map->lost, map->pages, 0); page < map->pages;
	     page = find_next_bit(map->lost, map->pages, page + 1)) {
		n += !test_bit(page, zeromap->zero);
		if (!(n % (1 << 20)))
			cond_resched();
	}
	return n;
}

bool farmem_lostmap_find(const struct farmem_lostmap *map, u64 first, u64 count)
{
	return find_next_bit(map->lost, first + count, first) < first + count;
}

void farmem_lostmap_clear(struct farmem_lostmap *map, u64 first, u64 count)
{
	u64 page;

	for (page = first; page < first + count; page++)
		clear_bit(page, map->lost);
}

void farmem_lostmap_free(struct farmem_lostmap *map)
{
	vfree(map->lost);
	map->lost = NULL;
}
