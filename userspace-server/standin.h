/* SPDX-License-Identifier: GPL-2.0 */
/* standin.h - a slab in the place of one with a memory error */
#ifndef STANDIN_H
#define STANDIN_H

#include <stdbool.h>
#include <stdint.h>

struct pool;
struct server;
struct volume;

/**
 * struct standin - one slab that takes another's place
 * @place: in the volume
 * @bad: the slab there, with a memory error
 * @slab: the one that takes its place; no volume's until standin_end()
 * @blank: @bad was never granted: there is nothing to save
 * @lost: pages that could not be saved
 */
struct standin {
	uint32_t place;
	uint32_t bad;
	uint32_t slab;
	bool blank;
	uint32_t lost;
};

/**
 * standin_begin() - find a slab for the first bad one of a volume
 * @server: with a free slab or not
 * @volume: not granted, and no queue pair reaches it
 * @had: slabs that were its own before this request
 * @standin: filled in
 *
 * Return: 1: @standin is to be filled and ended.  0: no slab of the volume is bad.  Or a
 * negative error, -ENOSPC when no slab is free.
 */
int standin_begin(struct server *server, const struct volume *volume, uint32_t had,
		  struct standin *standin);

/**
 * standin_fill() - save what can be read of the bad slab
 * @pool: the memory
 * @standin: from standin_begin(); @lost is counted
 *
 * A page that cannot be read is FARMEM_PAGE_LOST there.
 *
 * Context: worker.  Return: 0, or -EHWPOISON: the other slab is bad, too.
 */
int standin_fill(const struct pool *pool, struct standin *standin);

/* standin_end() - it is the volume's, and the bad one no volume's.  Return: 0 or -ENOMEM. */
int standin_end(struct server *server, struct volume *volume, const struct standin *standin);

/* standin_drop() - the slab is not needed, or it is bad */
void standin_drop(struct server *server, const struct standin *standin);

#endif /* STANDIN_H */
