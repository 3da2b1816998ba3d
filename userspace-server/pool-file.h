/* SPDX-License-Identifier: GPL-2.0 */
/* pool-file.h - a pool with a name, which outlives farmemd */
#ifndef POOL_FILE_H
#define POOL_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct options;

/**
 * pool_file_open() - open, or make, the file of --pool
 * @opt: pool, a path on tmpfs or hugetlbfs; size and slab_size
 * @bytes: how large it must be; one that is new or empty becomes so
 * @made: it was new or empty, and all of it is zeros
 *
 * One that was made with another size or slab size is refused.  It is locked for this process, and whatever of a former farmemd could still write
 * to it is gone.  Logs what is wrong.
 *
 * Return: a descriptor, or a negative error.
 */
int pool_file_open(const struct options *opt, uint64_t bytes, bool *made);

/* The rest is pool-size.c's. */

/**
 * pool_file_hugepage() - size of the huge pages that a file at @path has, or would have
 * @bytes: 0 on tmpfs, whose pages are the kernel's, of whatever size
 *
 * Return: 0; -EINVAL when @path is on no file system for pools.
 */
int pool_file_hugepage(const char *path, uint64_t *bytes);

/* pool_file_allocated() - bytes that it holds already */
uint64_t pool_file_allocated(const char *path);

#endif /* POOL_FILE_H */
