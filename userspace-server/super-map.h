/* SPDX-License-Identifier: GPL-2.0 */
/* super-map.h - where the superblock of a pool lies, and its copy */
#ifndef SUPER_MAP_H
#define SUPER_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "pool-size.h"

/**
 * struct super - the superblock of a pool
 * @head: geometry and its checksum; the last page of the pool
 * @volume: a record for each volume; as many as there are slabs
 * @word: for each slab its state, and whose it is
 * @slabs: of the pool
 * @copy: which has these three
 * @area: where it is mapped; NULL: a memory error there could not be mended
 * @bytes: of it
 * @used: of records and words; @head is behind them in the copy, and at the end of @area
 * @fd: the file that @area is of; -1 if that does not matter
 * @offset: of @area in it
 *
 * The memory of a process that is killed stays as its last store left it.  So the order
 * of stores counts (super.c), and nothing is ever synced.
 *
 * Context: event loop only.
 */
struct super {
	struct super_head *head;
	struct super_volume *volume;
	uint64_t *word;
	uint32_t slabs;
	uint8_t *copy;
	uint8_t *area;
	uint64_t bytes;
	uint64_t used;
	int fd;
	uint64_t offset;
};

/**
 * super_map() - it lies in @area; nothing is read or written
 * @super: result
 * @area: the last bytes of the pool
 * @bytes: of @area, super_map_bytes(@slabs) or more
 * @slabs: of the pool
 *
 * Return: 0 or -ENOMEM.
 */
int super_map(struct super *super, void *area, uint64_t bytes, uint32_t slabs);
void super_map_free(struct super *super);

/* super_map_load() - copy what is there.  Return: 0, or -EHWPOISON: it cannot be read. */
int super_map_load(struct super *super);

/**
 * super_map_publish() - what has changed in the copy goes to the pool
 * @super: the superblock
 * @from: in the copy; one store if it is a number
 * @bytes: of it
 *
 * What a memory error has cost there is written anew, too, if it may be.
 */
void super_map_publish(struct super *super, const void *from, size_t bytes);

#endif /* SUPER_MAP_H */
