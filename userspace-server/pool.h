/* SPDX-License-Identifier: GPL-2.0 */
/* pool.h - the memory that the server lends */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slab.h"
#include "super-map.h"

struct options;

/**
 * struct pool - one mapping: all slabs, all page state bytes, and at its end the superblock
 * @base: the mapping, locked as it is used; prefault.c and premap.c use all of it
 * @mapped: its bytes
 * @size: bytes of the slabs
 * @slab_size: bytes of a slab
 * @slabs: how many
 * @generation: random, never 0; names this memory for as long as it keeps what
 *	was written to it
 * @fd: the file behind the mapping: --pool's, or a memfd
 * @kept: it was there before this farmemd
 * @floor: slabs that have memory always; fewer than @slabs: the machine may have the rest
 * @hollow: of a kept pool with gaps, for each slab whether it may have lacked memory; else NULL
 * @bad: slabs with a memory error; the only part that changes
 * @super: the superblock
 *
 * Immutable after pool_create().  The bytes of slabs are touched by prefaulting, which
 * changes none, by pool_zero() and pool_give().
 */
struct pool {
	uint8_t *base;
	uint64_t mapped;
	uint64_t size;
	uint64_t slab_size;
	uint32_t slabs;
	uint64_t generation;
	int fd;
	bool kept;
	uint32_t floor;
	bool *hollow;
	struct slab_bad *bad;
	struct super super;
};

/**
 * pool_create() - allocate or take over the memory
 * @pool: result
 * @opt: size, spare, slab_size, hugepage_size and pool are used
 *
 * The floor of a new pool is prefaulted here, which takes minutes if it is big, and ends early when
 * SIGTERM or SIGINT is pending.  A kept pool is not prefaulted: its clients wait.  Logs
 * what is wrong.
 *
 * Context: before the event loop, with those signals blocked.
 * Return: 0, -EINTR, or another negative error.
 */
int pool_create(struct pool *pool, const struct options *opt);
void pool_destroy(struct pool *pool);

/**
 * pool_is_kept() - will another farmemd find this memory?
 * @pool: with memory
 * @opt: what it was created with
 *
 * The file of --pool must still be the one of that name.
 */
bool pool_is_kept(const struct pool *pool, const struct options *opt);

/* Page state bytes of one slab. */
static inline uint64_t pool_meta_per_slab(const struct pool *pool)
{
	return pool->slab_size >> 12;
}

/* First byte of a slab, and of its page state bytes. */
static inline uint8_t *pool_data(const struct pool *pool, uint32_t slab)
{
	return pool->base + slab * pool->slab_size;
}

static inline uint8_t *pool_meta(const struct pool *pool, uint32_t slab)
{
	return pool->base + pool->size + slab * pool_meta_per_slab(pool);
}

/**
 * pool_zero() - zero slabs and their page state bytes
 * @pool: the memory
 * @run: within the pool, at least 1 slab
 *
 * Context: worker thread, and only for slabs that no queue pair can reach.
 * Return: 0; -EHWPOISON: one of them is bad, and none counts as zeroed; -ENOSPC: they
 * lacked memory, and the machine has none.
 */
int pool_zero(const struct pool *pool, struct slab_run run);

/**
 * pool_give() - give the memory of slabs back to the machine
 * @pool: the memory
 * @run: within the pool, at least 1 slab
 *
 * Their page state bytes stay: pool_zero() comes before the next volume gets the slabs.
 *
 * Context: worker thread, or before there is one; only for slabs that no queue pair can reach.
 * Return: 0 or a negative error.
 */
int pool_give(const struct pool *pool, struct slab_run run);

/* pool_may_lack_memory() - not all slabs have had theirs since the pool was made */
static inline bool pool_may_lack_memory(const struct pool *pool)
{
	return pool->floor < pool->slabs || pool->hollow;
}

/**
 * pool_probe() - have the pages of slabs, and find those with a memory error
 * @pool: the memory
 * @run: within the pool, at least 1 slab
 *
 * No byte is changed.  Context: any thread.
 * Return: 0, -EHWPOISON when one of the slabs is bad, or another negative error.
 */
int pool_probe(const struct pool *pool, struct slab_run run);

#endif /* POOL_H */
