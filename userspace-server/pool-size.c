// SPDX-License-Identifier: GPL-2.0
/*
 * pool-size.c - how much memory a pool takes, and in pages of which size.
 *
 * Owns nothing and changes nothing.  Called by pool.c, check.c and options.c, and by
 * farmemctl doctor, which is to expect what farmemd will ask for.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "options.h"
#include "pool-size.h"
#include "super-map.h"
#include "util.h"

uint64_t super_bytes(uint32_t slabs)
{
	uint64_t bytes = slabs * (SUPER_VOLUME_BYTES + sizeof(uint64_t)) + SUPER_HEAD_BYTES;

	return (bytes + SUPER_HEAD_BYTES - 1) / SUPER_HEAD_BYTES * SUPER_HEAD_BYTES;
}

uint64_t pool_mapped_bytes(const struct options *opt)
{
	uint64_t unit = opt->hugepage_size ? opt->hugepage_size : FARMEM_PAGE_SIZE;
	uint64_t bytes = opt->size + (opt->size >> FARMEM_PAGE_SHIFT) +
			 super_bytes(opt->size / opt->slab_size);

	return (bytes + unit - 1) / unit * unit;
}

uint64_t pool_missing_bytes(const struct options *opt)
{
	uint64_t need = pool_mapped_bytes(opt);
	uint64_t has = opt->pool ? pool_file_allocated(opt->pool) : 0;

	return need - min(need, has);
}

int pool_file_hugepage(const char *path, uint64_t *bytes)
{
	char folder[PATH_MAX];
	struct statfs fs;

	if (statfs(path, &fs)) {
		snprintf(folder, sizeof(folder), "%s", path);
		if (errno != ENOENT || statfs(dirname(folder), &fs))
			return -EINVAL;
	}
	*bytes = fs.f_type == HUGETLBFS_MAGIC ? fs.f_bsize : 0;
	return *bytes || fs.f_type == TMPFS_MAGIC ? 0 : -EINVAL;
}

uint64_t pool_file_allocated(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_blocks * 512ull;
}
