/* SPDX-License-Identifier: GPL-2.0 */
/* pool-size.h - how much memory a pool takes, and in pages of which size */
#ifndef POOL_SIZE_H
#define POOL_SIZE_H

#include <stdint.h>

/* Bytes of the superblock's head, which a pool ends with. */
#define SUPER_HEAD_BYTES 4096
/* Bytes of a volume's record. */
#define SUPER_VOLUME_BYTES 128

/* super_map_bytes() - of the superblock of a pool of so many slabs, in whole pages */
static inline uint64_t super_map_bytes(uint32_t slabs)
{
	uint64_t bytes = slabs * (SUPER_VOLUME_BYTES + sizeof(uint64_t)) + SUPER_HEAD_BYTES;

	return (bytes + SUPER_HEAD_BYTES - 1) / SUPER_HEAD_BYTES * SUPER_HEAD_BYTES;
}

/**
 * pool_size_mapped() - bytes that pool_create() maps
 * @size: of all slabs
 * @slab_size: of one
 * @hugepage: size of its pages, 0: not huge
 */
uint64_t pool_size_mapped(uint64_t size, uint64_t slab_size, uint64_t hugepage);

/* pool_size_missing() - of @mapped, what a file at @path (NULL: none) has not yet */
uint64_t pool_size_missing(uint64_t mapped, const char *path);

/**
 * struct huge_pages - the kernel's, of one size (Documentation/admin-guide/mm/hugetlbpage.rst)
 * @unused: that are there, and nobody has or was promised
 * @surplus: that were made of other memory when they were needed, and become that again
 * @allowed: so many more may be made in that way
 */
struct huge_pages {
	uint64_t unused;
	uint64_t surplus;
	uint64_t allowed;
};

/* pool_size_huge() - those of @size bytes each; 0, or a negative error: the kernel has none of them */
int pool_size_huge(uint64_t size, struct huge_pages *pages);

/**
 * pool_size_hugepage() - size of the huge pages that a file at @path has, or would have
 * @path: of a file that exists, or whose folder does
 * @bytes: set; 0 on tmpfs, whose pages are the kernel's, of whatever size
 *
 * Return: 0; -EINVAL when @path is on no file system for pools.
 */
int pool_size_hugepage(const char *path, uint64_t *bytes);

#endif /* POOL_SIZE_H */
