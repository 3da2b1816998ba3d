/* SPDX-License-Identifier: GPL-2.0 */
/* pool-file.h - a pool with a name, which outlives farmemd */
#ifndef POOL_FILE_H
#define POOL_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct options;
struct super_geometry;

/**
 * pool_file_open() - open, or make, the file of --pool
 * @opt: pool, a path on tmpfs or hugetlbfs; size and slab_size
 * @bytes: how large it must be; one that is new or empty becomes so
 * @made: it was new or empty, and all of it is zeros
 *
 * A file that was made with another size or slab size is refused.  The file is locked for
 * this process: no queue pair of a former farmemd can write to it any more.  Logs what is
 * wrong.
 *
 * Return: a descriptor, or a negative error.
 */
int pool_file_open(const struct options *opt, uint64_t bytes, bool *made);

/**
 * pool_file_read_super() - read what the superblock of a pool's file says
 * @fd: the file
 * @bytes: its size
 * @geometry: result
 *
 * Reads the file, so it need not be mapped.
 *
 * Return: 0; -ENOENT: nothing, or something else, is in the superblock's place; or another
 * negative error, as super_read() and pread() have them.
 */
int pool_file_read_super(int fd, uint64_t bytes, struct super_geometry *geometry);

#endif /* POOL_FILE_H */
