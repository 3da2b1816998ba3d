/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lostmap.h - which pages of a volume are gone, and must not read as anything.
 *
 * A server that comes back with other memory has lost what was written before.
 * Such a page reads as an error until it is written, zeroed or discarded again, or
 * until the server has the memory again that the page was last written to.
 */
#ifndef FARMEM_LOSTMAP_H
#define FARMEM_LOSTMAP_H

#include <linux/compiler.h>
#include <linux/types.h>

struct farmem_zeromap;

/* So many memories are known at a time; one less, for index 0 is nowhere. */
#define FARMEM_LOST_GENERATIONS 16

/**
 * struct farmem_lostmap - a byte a page, once there is anything to say
 * @home: where the page's last bytes are, an index of @generation; 0: nowhere.  NULL:
 *	nothing was ever lost, the usual
 * @pages: its length
 * @now: index of the memory that the server has; changes while no request is in flight
 * @settled: the server knows which pages are lost; before that none is written there
 * @generation: of the memory that it had since the volume went on; 0: none
 */
struct farmem_lostmap {
	u8 *home;
	u64 pages;
	u8 now;
	bool settled;
	u64 generation[FARMEM_LOST_GENERATIONS];
};

/**
 * farmem_lostmap_enter() - the server has granted this memory
 * @map: the map
 * @pages: of the volume
 * @zeromap: of the same volume; when the memory is another, the states of all its pages
 *	are to be written to the server anew, and count as stored from now on
 * @from: generation of the memory before
 * @to: generation of the memory now, maybe the same
 *
 * What is neither zero nor was last written to this memory is lost.
 *
 * Context: may sleep; no request of the volume is in flight.
 * Return: 0, or -ENOMEM with nothing changed.
 */
int farmem_lostmap_enter(struct farmem_lostmap *map, u64 pages,
			 struct farmem_zeromap *zeromap, u64 from, u64 to);

/** farmem_lostmap_settle() - the states are on the server.  Context: as enter. */
static inline void farmem_lostmap_settle(struct farmem_lostmap *map)
{
	map->settled = true;
}

/** farmem_lostmap_knows() - may there be pages of the volume in this memory? */
bool farmem_lostmap_knows(const struct farmem_lostmap *map, u64 generation);

/**
 * farmem_lostmap_load() - take over state bytes read from the server
 * @map: the map
 * @pages: of the volume
 * @generation: of the server's memory
 * @first: page of the first byte
 * @states: the bytes; whatever is not known counts as lost
 * @count: how many
 *
 * Context: may sleep.  Return: 0 or -ENOMEM.
 */
int farmem_lostmap_load(struct farmem_lostmap *map, u64 pages, u64 generation,
			u64 first, const u8 *states, u64 count);

/**
 * farmem_lostmap_merge() - what the server had to give up since the volume was opened
 * @map: the map
 * @zeromap: of the same volume
 * @pages: of it
 * @generation: of the server's memory
 * @first: page of the first byte
 * @states: the bytes
 * @count: how many
 *
 * Context: may sleep; no request of the volume is in flight.
 * Return: 0: nothing new; 1: there is, and the states are to be written to the server
 * anew; or -ENOMEM.
 */
int farmem_lostmap_merge(struct farmem_lostmap *map,
			 struct farmem_zeromap *zeromap, u64 pages,
			 u64 generation, u64 first, const u8 *states, u64 count);

/**
 * farmem_lostmap_store() - the state bytes as they should be on the server
 * @map: of the same volume; one that never lost a page changes nothing
 * @first: page of the first byte
 * @states: from farmem_zeromap_store(), which knows better what is zero
 * @count: bytes, one a page
 */
void farmem_lostmap_store(const struct farmem_lostmap *map, u64 first,
			  u8 *states, u64 count);

/** farmem_lostmap_count() - pages that are lost, and not freed since.  Slow. */
u64 farmem_lostmap_count(const struct farmem_lostmap *map,
			 const struct farmem_zeromap *zeromap);

void farmem_lostmap_free(struct farmem_lostmap *map);

bool farmem_lostmap_find(const struct farmem_lostmap *map, u64 first, u64 count);
void farmem_lostmap_clear(struct farmem_lostmap *map, u64 first, u64 count);

/** farmem_lostmap_used() - was anything ever lost?  Context: any. */
static inline bool farmem_lostmap_used(const struct farmem_lostmap *map)
{
	return READ_ONCE(map->home);
}

/** farmem_lostmap_hit() - is any of these pages lost?  Context: any. */
static inline bool farmem_lostmap_hit(const struct farmem_lostmap *map,
				      u64 first, u64 count)
{
	return unlikely(farmem_lostmap_used(map)) &&
	       farmem_lostmap_find(map, first, count);
}

/** farmem_lostmap_written() - the server has new bytes for them.  Context: any. */
static inline void farmem_lostmap_written(struct farmem_lostmap *map,
					  u64 first, u64 count)
{
	if (unlikely(READ_ONCE(map->home)))
		farmem_lostmap_clear(map, first, count);
}

#endif /* FARMEM_LOSTMAP_H */
