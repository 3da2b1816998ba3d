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
 * @bad: slabs with a memory error; the only part that changes
 * @super: the superblock
 *
 * Immutable after pool_create().  The bytes of slabs are touched by prefaulting, which
 * changes none, and by pool_zero().
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
	struct slab_bad *bad;
	struct super super;
};

/**
 * pool_create() - allocate or take over the memory
 * @pool: result
 * @opt: size, slab_size, hugepage_size and pool are used
 *
 * A new pool is prefaulted here, which takes minutes if it is big, and ends early when
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
 * Return: 0, or -EHWPOISON: one of them is bad, and none counts as zeroed.
 */
int pool_zero(const struct pool *pool, struct slab_run run);

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
