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
 * A file that was made with another size or slab size is refused.  The file is locked for
 * this process: no queue pair of a former farmemd can write to it any more.  Logs what is
 * wrong.
 *
 * Return: a descriptor, or a negative error.
 */
int pool_file_open(const struct options *opt, uint64_t bytes, bool *made);

#endif /* POOL_FILE_H */
