// SPDX-License-Identifier: GPL-2.0
/*
 * pool-size.c - how much memory a pool takes, and in pages of which size.
 *
 * Owns nothing and changes nothing.  Called by pool.c, check.c, headroom.c, options.c and show-config.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "farmem-proto.h"
#include "pool-size.h"
#include "util.h"

uint64_t pool_size_mapped(uint64_t size, uint64_t slab_size, uint64_t hugepage)
{
	uint64_t unit = hugepage ? hugepage : FARMEM_PAGE_SIZE;
	uint64_t bytes = size + (size >> FARMEM_PAGE_SHIFT) + super_map_bytes(size / slab_size);

	return (bytes + unit - 1) / unit * unit;
}

uint64_t pool_size_missing(uint64_t mapped, const char *path)
{
	uint64_t there = 0;
	struct stat st;

	if (path && !stat(path, &st))
		there = st.st_blocks * 512ull;
	return there < mapped ? mapped - there : 0;
}

static int pool_size_count(uint64_t size, const char *count, uint64_t *pages)
{
	char path[128];
	FILE *file;
	bool found;

	snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/%s", size >> 10, count);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	found = fscanf(file, "%" SCNu64, pages) == 1;
	fclose(file);
	return found ? 0 : -EINVAL;
}

int pool_size_huge(uint64_t size, struct huge_pages *pages)
{
	uint64_t reserved = 0, most = 0;
	int ret = pool_size_count(size, "free_hugepages", &pages->unused);

	if (!ret)
		ret = pool_size_count(size, "resv_hugepages", &reserved);
	if (!ret)
		ret = pool_size_count(size, "surplus_hugepages", &pages->surplus);
	if (!ret)
		ret = pool_size_count(size, "nr_overcommit_hugepages", &most);
	if (ret)
		return ret;
	pages->unused -= min(pages->unused, reserved);
	pages->allowed = most - min(most, pages->surplus);
	return 0;
}

int pool_size_hugepage(const char *path, uint64_t *bytes)
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
