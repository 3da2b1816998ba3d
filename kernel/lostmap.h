/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lostmap.h - which pages of a volume are gone, and must not read as anything.
 *
 * A server that comes back with other memory has lost what was written before.
 * Such a page reads as an error until it is written, zeroed or discarded again.
 */
#ifndef FARMEM_LOSTMAP_H
#define FARMEM_LOSTMAP_H

#include <linux/compiler.h>
#include <linux/types.h>

struct farmem_zeromap;

/**
 * struct farmem_lostmap - a bit a page, once there is anything to say
 * @lost: NULL: nothing was ever lost, the usual
 * @pages: its length
 */
struct farmem_lostmap {
	unsigned long *lost;
	u64 pages;
};

/**
 * farmem_lostmap_take() - all that is not zero is lost
 * @map: the map
 * @zeromap: of the same volume; the states of all its pages are to be written to the
 *	server anew, and count as stored from now on
 *
 * Context: may sleep; no request of the volume is in flight.
 * Return: 0, or -ENOMEM with nothing changed.
 */
int farmem_lostmap_take(struct farmem_lostmap *map,
			struct farmem_zeromap *zeromap);

/**
 * farmem_lostmap_load() - take over state bytes read from the server
 * @map: the map
 * @pages: of the volume
 * @first: page of the first byte
 * @states: the bytes; whatever is not known counts as lost
 * @count: how many
 *
 * Context: may sleep.  Return: 0 or -ENOMEM.
 */
int farmem_lostmap_load(struct farmem_lostmap *map, u64 pages, u64 first,
			const u8 *states, u64 count);

/**
 * farmem_lostmap_store() - the state bytes as they should be on the server
 * @states: from farmem_zeromap_store(), which knows better what is zero
 */
void farmem_lostmap_store(const struct farmem_lostmap *map, u64 first,
			  u8 *states, u64 count);

/** farmem_lostmap_count() - pages that are lost, and not freed since.  Slow. */
u64 farmem_lostmap_count(const struct farmem_lostmap *map,
			 const struct farmem_zeromap *zeromap);

void farmem_lostmap_free(struct farmem_lostmap *map);

bool farmem_lostmap_find(const struct farmem_lostmap *map, u64 first, u64 count);
void farmem_lostmap_clear(struct farmem_lostmap *map, u64 first, u64 count);

/** farmem_lostmap_hit() - is any of these pages lost?  Context: any. */
static inline bool farmem_lostmap_hit(const struct farmem_lostmap *map,
				      u64 first, u64 count)
{
	return unlikely(READ_ONCE(map->lost)) &&
	       farmem_lostmap_find(map, first, count);
}

/** farmem_lostmap_written() - the server has new bytes for them.  Context: any. */
static inline void farmem_lostmap_written(struct farmem_lostmap *map,
					  u64 first, u64 count)
{
	if (unlikely(READ_ONCE(map->lost)))
		farmem_lostmap_clear(map, first, count);
}

#endif /* FARMEM_LOSTMAP_H */
