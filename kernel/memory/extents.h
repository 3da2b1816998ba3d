/* SPDX-License-Identifier: GPL-2.0 */
/*
 * extents.h - a volume's regions: taken from a GRANT, mapped slab by slab, found.
 *
 * All but farmem_extents_place(): the session's lock held, may sleep.
 */
#ifndef FARMEM_EXTENTS_H
#define FARMEM_EXTENTS_H

#include <linux/types.h>

struct farmem_extent;
struct farmem_grant_info;
struct farmem_memory;
struct farmem_request;

/**
 * struct farmem_extents_grant - a volume's regions, as the parts of a GRANT tell them
 * @memory: whose
 * @extents: the regions so far; NULL: they are where the volume has them already
 * @count: of them
 * @room: for so many
 * @slabs: in them
 */
struct farmem_extents_grant {
	struct farmem_memory *memory;
	struct farmem_extent *extents;
	unsigned int count;
	unsigned int room;
	unsigned int slabs;
};

/** farmem_extents_take() - control.h's part, of a volume that is being opened */
int farmem_extents_take(const struct farmem_grant_info *info, void *grant);

/**
 * farmem_extents_take_again() - the same, of one that is open
 *
 * The same slabs, under new addresses and keys.  In which regions they lie is the
 * server's business: it may have other gaps now, or an adapter that registers less.
 */
int farmem_extents_take_again(const struct farmem_grant_info *info, void *grant);

/** farmem_extents_add() - one more.  Return: 0 or -ENOMEM. */
int farmem_extents_add(struct farmem_extents_grant *g, const struct farmem_extent *extent);

/** farmem_extents_use() - they are the memory's from now on. */
void farmem_extents_use(struct farmem_memory *m, const struct farmem_extents_grant *g);

/** farmem_extents_map() - the slab map of a volume that is being opened. */
int farmem_extents_map(struct farmem_memory *m);

/**
 * farmem_extents_map_again() - another slab map, of other regions
 *
 * The former map stays until the volume goes off: requests that wait, and submitters on
 * their way, may still name an extent of it.  farmem_extents_place() finds the new one.
 */
int farmem_extents_map_again(struct farmem_memory *m, const struct farmem_extents_grant *g);

/**
 * farmem_extents_place() - find where a request goes today
 * @req: of a volume, not posted now
 *
 * The server may have granted other regions since it was made.
 *
 * Context: any.
 * Return: false: not all of it is in one region any more; nothing is changed.
 */
bool farmem_extents_place(struct farmem_request *req);

/** farmem_extents_free() - regions and maps, today's and former ones. */
void farmem_extents_free(struct farmem_memory *m);

#endif /* FARMEM_EXTENTS_H */
