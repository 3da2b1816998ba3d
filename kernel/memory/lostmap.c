// SPDX-License-Identifier: GPL-2.0
/*
 * lostmap.c - the pages whose only copy is in memory that the server has not.
 *
 * Which memory a page was last written to is noted in a byte.  So a server that was
 * started without its pool by mistake, and then with it again, has cost only what was
 * written in between.
 *
 * What the server has changes while no request is in flight, a page's byte as the page
 * is written.  A READ checks that byte as it is posted (prepare.c: farmem_prepare_request()):
 * by its end a WRITE beside it may have made the page good, with bytes that it did not get.
 */
#include <linux/bitmap.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "farmem-proto.h"
#include "fault.h"
#include "lostmap.h"
#include "zeromap.h"

#define NOWHERE	0
#define FIRST	1

/* Every page is there, in the memory of that generation. */
static int lostmap_allocate(struct farmem_lostmap *map, u64 pages, u64 generation)
{
	u8 *home;

	if (map->home)
		return 0;
	/* As FARMEM_GFP_MAY_FAIL has it: without this map the volume is away, not the session. */
	home = farmem_fault_alloc(__vmalloc(pages, GFP_KERNEL | __GFP_RETRY_MAYFAIL |
					    __GFP_NOWARN));
	if (!home)
		return -ENOMEM;
	memset(home, FIRST, pages);
	memset(map->generation, 0, sizeof(map->generation));
	map->generation[FIRST] = generation;
	map->now = FIRST;
	map->settled = true;
	map->pages = pages;
	/* With its bytes: a reader that sees it looks into it. */
	smp_store_release(&map->home, home);
	return 0;
}

static u8 lostmap_index_of(const struct farmem_lostmap *map, u64 generation)
{
	u8 i;

	for (i = FIRST; i < FARMEM_LOST_GENERATIONS; i++)
		if (map->generation[i] == generation)
			return i;
	return NOWHERE;
}

/* A place for one more.  When all are taken, what has another's pages forgets them. */
static u8 lostmap_make_room(struct farmem_lostmap *map)
{
	u8 i = lostmap_index_of(map, 0);
	u64 page;

	if (i != NOWHERE)
		return i;
	i = map->now + 1 < FARMEM_LOST_GENERATIONS ? map->now + 1 : FIRST;
	for (page = 0; page < map->pages; page++) {
		if (map->home[page] == i)
			map->home[page] = NOWHERE;
		if (!(page % (1 << 20)))
			cond_resched();
	}
	return i;
}

/*
 * They are nowhere, and everywhere.  One that the server does not hold as zero is a
 * freed swap slot, perhaps with a write under way that will be sent again: it counts
 * as data from now on, so that the end of that write finds nothing to respect.
 */
static void lostmap_take_zeros_along(struct farmem_lostmap *map,
				     struct farmem_zeromap *zeromap)
{
	u64 page;

	for (page = 0; page < map->pages; page++) {
		if (test_bit(page, zeromap->zero))
			map->home[page] = map->now;
		if (!test_bit(page, zeromap->stored))
			clear_bit(page, zeromap->zero);
		if (!(page % (1 << 20)))
			cond_resched();
	}
	farmem_zeromap_doubt_all(zeromap);
}

int farmem_lostmap_enter(struct farmem_lostmap *map, u64 pages,
			 struct farmem_zeromap *zeromap, u64 from, u64 to)
{
	u8 now;
	int err;

	if (!map->home && from == to)
		return 0;
	err = lostmap_allocate(map, pages, from);
	if (err)
		return err;
	if (map->generation[map->now] == to)
		return 0;
	/* Where nothing was written to: the server need not even have it any more. */
	if (!map->settled)
		map->generation[map->now] = 0;
	now = lostmap_index_of(map, to);
	map->settled = now != NOWHERE;
	if (now == NOWHERE) {
		now = lostmap_make_room(map);
		map->generation[now] = to;
	}
	map->now = now;
	lostmap_take_zeros_along(map, zeromap);
	return 0;
}

bool farmem_lostmap_knows(const struct farmem_lostmap *map, u64 generation)
{
	u8 i = lostmap_index_of(map, generation);

	return map->home && i != NOWHERE && (i != map->now || map->settled);
}

int farmem_lostmap_load(struct farmem_lostmap *map, u64 pages, u64 generation,
			u64 first, const u8 *states, u64 count)
{
	u64 i;
	int err;

	for (i = 0; i < count && first + i < pages; i++) {
		if (states[i] == FARMEM_PAGE_DATA ||
		    states[i] == FARMEM_PAGE_ZERO)
			continue;
		err = lostmap_allocate(map, pages, generation);
		if (err)
			return err;
		map->home[first + i] = NOWHERE;
	}
	return 0;
}

static bool lostmap_lost(const struct farmem_lostmap *map, u64 page)
{
	return READ_ONCE(map->home[page]) != map->now;
}

/* A freed swap slot counts as data, as in lostmap_take_zeros_along(). */
static int lostmap_lose_page(struct farmem_lostmap *map, struct farmem_zeromap *zeromap,
			     u64 pages, u64 generation, u64 page)
{
	int err = lostmap_allocate(map, pages, generation);

	if (err)
		return err;
	clear_bit(page, zeromap->zero);
	set_bit(page, zeromap->stored);
	WRITE_ONCE(map->home[page], NOWHERE);
	return 0;
}

int farmem_lostmap_merge(struct farmem_lostmap *map,
			 struct farmem_zeromap *zeromap, u64 pages,
			 u64 generation, u64 first, const u8 *states, u64 count)
{
	u64 i, page;
	int found = 0, err;

	for (i = 0; i < count && first + i < pages; i++) {
		page = first + i;
		if (states[i] != FARMEM_PAGE_LOST ||
		    (map->home && lostmap_lost(map, page)))
			continue;
		found = 1;
		/* The server was told that it is zero, which is all there is to know. */
		if (test_bit(page, zeromap->zero) && test_bit(page, zeromap->stored))
			continue;
		err = lostmap_lose_page(map, zeromap, pages, generation, page);
		if (err)
			return err;
	}
	return found;
}

void farmem_lostmap_store(const struct farmem_lostmap *map, u64 first,
			  u8 *states, u64 count)
{
	u64 i;

	if (!map->home)
		return;
	for (i = 0; i < count && first + i < map->pages; i++)
		if (states[i] == FARMEM_PAGE_DATA && lostmap_lost(map, first + i))
			states[i] = FARMEM_PAGE_LOST;
}

u64 farmem_lostmap_count(const struct farmem_lostmap *map,
			 const struct farmem_zeromap *zeromap)
{
	u64 page, n = 0;

	if (!READ_ONCE(map->home))
		return 0;
	for (page = 0; page < map->pages; page++) {
		n += lostmap_lost(map, page) && !test_bit(page, zeromap->zero);
		if (!(page % (1 << 20)))
			cond_resched();
	}
	return n;
}

bool farmem_lostmap_find(const struct farmem_lostmap *map, u64 first, u64 count)
{
	return memchr_inv(map->home + first, map->now, count);
}

void farmem_lostmap_clear(struct farmem_lostmap *map, u64 first, u64 count)
{
	/* Bytes that readers look at one by one: no order among them matters. */
	memset(map->home + first, map->now, count);
}

void farmem_lostmap_free(struct farmem_lostmap *map)
{
	vfree(map->home);
	map->home = NULL;
}
