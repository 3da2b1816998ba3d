/* SPDX-License-Identifier: GPL-2.0 */
/* pool-size.h - how much memory a pool takes, and in pages of which size */
#ifndef POOL_SIZE_H
#define POOL_SIZE_H

#include <stdint.h>

struct options;

/* super_bytes() - of the superblock of a pool of so many slabs, in whole pages */
uint64_t super_bytes(uint32_t slabs);

/* pool_mapped_bytes() - what pool_create() maps for these options */
uint64_t pool_mapped_bytes(const struct options *opt);

/* pool_missing_bytes() - what it takes anew: a pool that is there has the rest already */
uint64_t pool_missing_bytes(const struct options *opt);

/**
 * pool_file_hugepage() - size of the huge pages that a file at @path has, or would have
 * @bytes: 0 on tmpfs, whose pages are the kernel's, of whatever size
 *
 * Return: 0; -EINVAL when @path is on no file system for pools.
 */
int pool_file_hugepage(const char *path, uint64_t *bytes);

/* pool_file_allocated() - bytes that it holds already */
uint64_t pool_file_allocated(const char *path);

#endif /* POOL_SIZE_H */
