// SPDX-License-Identifier: GPL-2.0
/*
 * pool.c - getting hold of the memory to lend.
 *
 * Owns the file (pool-file.c has --pool's, otherwise it is a memfd) and its mapping.
 * Called by main() once; grant.c and clean.c ask for addresses and have slabs zeroed by the worker.
 */
#include <errno.h>
#include <linux/memfd.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "options.h"
#include "parse.h"
#include "pool-file.h"
#include "pool.h"
#include "prefault.h"

static int open_memfd(uint64_t hugepage_size)
{
	unsigned int flags = MFD_CLOEXEC;

	if (hugepage_size == 1ull << 30)
		flags |= MFD_HUGETLB | MFD_HUGE_1GB;
	else if (hugepage_size)
		flags |= MFD_HUGETLB | MFD_HUGE_2MB;
	return memfd_create("farmem-pool", flags);
}

static int random_generation(uint64_t *generation)
{
	do {
		if (getrandom(generation, sizeof(*generation), 0) != sizeof(*generation))
			return -errno;
	} while (!*generation);
	return 0;
}

static int map_memory(struct pool *pool)
{
	uint64_t records;
	void *base;

	base = mmap(NULL, pool->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, pool->fd, 0);
	if (base == MAP_FAILED)
		return -errno;
	pool->base = base;
	/* Each page from when it is mapped. */
	if (mlock2(base, pool->mapped, MLOCK_ONFAULT))
		return -errno;
	records = pool->size + (pool->size >> FARMEM_PAGE_SHIFT);
	super_map(&pool->super, pool->base + records, pool->mapped - records, pool->slabs);
	return 0;
}

/* Nothing but zeros, or what a format() that was killed has left of itself. */
static bool is_blank(const struct pool *pool)
{
	const uint64_t *word = (const uint64_t *)pool->base;
	uint64_t words = (pool->mapped - SUPER_HEAD_BYTES) / sizeof(*word);
	uint64_t i;

	for (i = 0; i < words; i++)
		if (word[i])
			return false;
	return true;
}

/* What the memory says of itself.  -ENOENT: nothing. */
static int take_over(struct pool *pool)
{
	struct super_geometry found;
	int ret = super_read(pool->super.head, &found);

	if (ret)
		return ret;
	pool->generation = found.generation;
	pool->kept = true;
	return 0;
}

static int format(struct pool *pool)
{
	struct super_geometry geometry = {
		.slab_size = pool->slab_size,
		.slabs = pool->slabs,
	};
	int ret = random_generation(&pool->generation);

	if (ret)
		return ret;
	geometry.generation = pool->generation;
	return super_format(&pool->super, &geometry);
}

static void explain(int error, const struct options *opt)
{
	char size[SIZE_TEXT];

	format_size(pool_mapped_bytes(opt), size);
	if (error == -EINTR)
		log_info("pool: told to stop while taking memory");
	else if (opt->pool && error == -ENOSPC)
		log_err("pool: cannot take %s for %s: %s; lower --size, or give the file system more: 'mount -o remount,size=...' (tmpfs), nr_hugepages (hugetlbfs)",
			size, opt->pool, strerror(-error));
	else if (opt->hugepage_size)
		log_err("pool: cannot get %s of huge pages: %s; farmemd --check says how many are free",
			size, strerror(-error));
	else
		log_err("pool: cannot get %s of locked memory: %s; lower --size, or see farmemd --check",
			size, strerror(-error));
}

static int open_memory(struct pool *pool, const struct options *opt, bool *made)
{
	int ret;

	if (opt->pool) {
		pool->fd = pool_file_open(opt, pool->mapped, made);
		return pool->fd < 0 ? pool->fd : 0;
	}
	*made = true;
	pool->fd = open_memfd(opt->hugepage_size);
	if (pool->fd >= 0 && !ftruncate(pool->fd, pool->mapped))
		return 0;
	ret = -errno;
	explain(ret, opt);
	return ret;
}

/* All of it, before anything is lent; @made: there was nothing. */
static int make_new(struct pool *pool, const struct options *opt, bool made)
{
	int ret = prefault_now(pool, opt->pool);

	if (ret) {
		explain(ret, opt);
		/* What was taken of it must not look like a pool. */
		if (made && opt->pool && ftruncate(pool->fd, 0))
			log_err("pool: cannot empty %s again: %m; remove it", opt->pool);
		return ret;
	}
	if (!made && !is_blank(pool)) {
		log_err("pool: %s holds something, and no superblock of farmemd's; give the name of another file, or remove it if nobody needs it",
			opt->pool);
		return -EINVAL;
	}
	return format(pool);
}

int pool_create(struct pool *pool, const struct options *opt)
{
	bool made;
	int ret;

	memset(pool, 0, sizeof(*pool));
	pool->fd = -1;
	pool->size = opt->size;
	pool->slab_size = opt->slab_size;
	pool->slabs = opt->size / opt->slab_size;
	pool->mapped = pool_mapped_bytes(opt);

	ret = open_memory(pool, opt, &made);
	if (!ret) {
		ret = map_memory(pool);
		if (ret)
			explain(ret, opt);
	}
	if (!ret)
		ret = made ? -ENOENT : take_over(pool);
	if (ret == -ENOENT)
		ret = make_new(pool, opt, made);
	if (ret)
		pool_destroy(pool);
	return ret;
}

void pool_destroy(struct pool *pool)
{
	if (pool->base)
		munmap(pool->base, pool->mapped);
	if (pool->fd >= 0)
		close(pool->fd);
	pool->base = NULL;
	pool->fd = -1;
}

bool pool_is_kept(const struct pool *pool, const struct options *opt)
{
	struct stat has, named;

	return opt->pool && !fstat(pool->fd, &has) && !stat(opt->pool, &named) &&
	       has.st_dev == named.st_dev && has.st_ino == named.st_ino;
}

void pool_zero(const struct pool *pool, struct slab_run run)
{
	memset(pool_data(pool, run.first), 0, run.count * pool->slab_size);
	memset(pool_meta(pool, run.first), 0, run.count * pool_meta_per_slab(pool));
}
