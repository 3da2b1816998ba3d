// SPDX-License-Identifier: GPL-2.0
/*
 * pool.c - getting hold of the memory to lend.
 *
 * Owns the file (pool-file.c has --pool's, otherwise it is a memfd) and its mapping.
 * Called by main() once; grant.c and clean.c ask for addresses and have slabs zeroed by the worker.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "format.h"
#include "options.h"
#include "log.h"
#include "poison.h"
#include "pool-file.h"
#include "pool.h"
#include "pool-size.h"
#include "prefault.h"
#include "super.h"
#include "util.h"

static int pool_open_memfd(uint64_t hugepage_size)
{
	unsigned int flags = MFD_CLOEXEC;

	if (hugepage_size == 1ull << 30)
		flags |= MFD_HUGETLB | MFD_HUGE_1GB;
	else if (hugepage_size)
		flags |= MFD_HUGETLB | MFD_HUGE_2MB;
	return memfd_create("farmem-pool", flags);
}

static int pool_random_generation(uint64_t *generation)
{
	do {
		if (getrandom(generation, sizeof(*generation), 0) != sizeof(*generation))
			return -errno;
	} while (!*generation);
	return 0;
}

static bool pool_is_huge(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == HUGETLBFS_MAGIC;
}

/* Huge pages of what comes and goes are not reserved: others may have them until then. */
static void *pool_map_file(const struct pool *pool)
{
	int flags = MAP_SHARED | (pool_may_lack_memory(pool) ? MAP_NORESERVE : 0);
	void *base = mmap(NULL, pool->mapped, PROT_READ | PROT_WRITE, flags, pool->fd, 0);

	return base == MAP_FAILED ? NULL : base;
}

/*
 * Huge pages are never swapped.  While mappings to come are locked, the kernel would fill
 * this one in mmap(), whatever MCL_ONFAULT says: in one thread, and a memory error ends it.
 */
static void *pool_map_huge(const struct pool *pool)
{
	void *base;

	if (mlockall(MCL_CURRENT))
		return NULL;
	base = pool_map_file(pool);
	return mlockall(MCL_FUTURE | MCL_ONFAULT) ? NULL : base;
}

static int pool_map(struct pool *pool)
{
	bool huge = pool_is_huge(pool->fd);
	uint64_t records;
	int ret;

	pool->base = huge ? pool_map_huge(pool) : pool_map_file(pool);
	if (!pool->base)
		return -errno;
	/* Each page from when it is mapped. */
	if (!huge && mlock2(pool->base, pool->mapped, MLOCK_ONFAULT))
		return -errno;
	records = pool->size + (pool->size >> FARMEM_PAGE_SHIFT);
	ret = super_map(&pool->super, pool->base + records, pool->mapped - records, pool->slabs);
	pool->super.fd = pool->fd;
	pool->super.offset = records;
	return ret;
}

static bool pool_is_zeros(const struct pool *pool, uint64_t from, uint64_t to)
{
	const uint64_t *word = (const uint64_t *)(pool->base + from);

	for (; from < to; from += sizeof(*word))
		if (*word++)
			return false;
	return true;
}

static uint64_t pool_floor_bytes(const struct pool *pool)
{
	return pool->floor * pool->slab_size;
}

/* hugetlbfs does not tell where gaps are, but how much there is. */
static bool pool_has_bytes(const struct pool *pool, uint64_t bytes)
{
	struct stat st;

	return !fstat(pool->fd, &st) && st.st_blocks * 512ull >= bytes;
}

/*
 * Nothing but zeros, or what a pool_format() that was killed has left of itself.  Gaps are
 * zeros, and to look at them would fill them.
 */
static bool pool_is_blank(const struct pool *pool)
{
	uint64_t slabs_end = pool->size + (pool->size >> FARMEM_PAGE_SHIFT);
	off_t data, hole = 0, end = pool->floor < pool->slabs ? slabs_end : pool->mapped - SUPER_HEAD_BYTES;

	if (pool->floor == pool->slabs)
		return pool_is_zeros(pool, 0, end);
	if (pool_is_huge(pool->fd))
		return !pool_has_bytes(pool, pool_floor_bytes(pool) + pool->mapped - pool->size + 1) &&
		       pool_is_zeros(pool, 0, pool_floor_bytes(pool)) && pool_is_zeros(pool, pool->size, end);
	while ((data = lseek(pool->fd, hole, SEEK_DATA)) >= 0 && data < end) {
		hole = lseek(pool->fd, data, SEEK_HOLE);
		if (hole < 0 || !pool_is_zeros(pool, data, min(hole, end)))
			return false;
	}
	return true;
}

static void pool_mark_bad(const struct pool *pool, uint32_t slab)
{
	if (atomic_exchange(&pool->bad->slab[slab], true))
		return;
	pool->bad->count++;
	log_err("pool: slab %u has an uncorrectable memory error, and is no longer lent; a volume that has it goes on in another slab when its client opens it again",
		slab);
}

/* Of one whose bytes count, or of one that has some. */
static void pool_mark_slab_gone(const struct pool *pool, uint32_t slab)
{
	if (!pool->hollow || !pool->hollow[slab])
		pool_mark_bad(pool, slab);
}

/* The slabs that bytes of the pool belong to; false: the superblock's. */
static bool pool_mark_gone(const struct pool *pool, uint64_t start, uint64_t end)
{
	uint64_t per_slab = pool_meta_per_slab(pool), at;

	if (end > pool->size + pool->slabs * per_slab)
		return false;
	for (at = start; at < min(end, pool->size); at += pool->slab_size - at % pool->slab_size)
		pool_mark_slab_gone(pool, at / pool->slab_size);
	/* A slab has several pages of state bytes, or a page has those of several. */
	for (at = max(start, pool->size) - pool->size; at < end - min(end, pool->size);
	     at += per_slab - at % per_slab)
		pool_mark_slab_gone(pool, at / per_slab);
	return true;
}

int pool_give(const struct pool *pool, struct slab_run run)
{
	if (!fallocate(pool->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
		       run.first * pool->slab_size, run.count * pool->slab_size))
		return 0;
	return -errno;
}

/* Of huge pages it can't tell which are gone, but whether some are: those that do not count go first. */
static bool pool_empty_hollow(const struct pool *pool)
{
	uint64_t rest = pool->mapped;
	struct slab_run run = { .count = 1 };
	struct stat st;

	/* Else a hole in a slab frees no page. */
	if (fstat(pool->fd, &st) || pool->slab_size % st.st_blksize)
		return false;
	for (; run.first < pool->slabs; run.first++)
		if (pool->hollow[run.first] && !pool_give(pool, run))
			rest -= pool->slab_size;
	return pool_has_bytes(pool, rest);
}

/*
 * A slab that counts has all its pages.  Kernels before 5.16 (tmpfs) and 6.1 (hugetlbfs)
 * take a page with a memory error out of its file, which then reads as zeros there.
 */
static int pool_find_gone(const struct pool *pool, const char *path)
{
	off_t end = pool->mapped, hole, data = 0;
	bool found = pool_is_huge(pool->fd) && pool_empty_hollow(pool);

	while ((hole = lseek(pool->fd, data, SEEK_HOLE)) >= 0 && hole < end) {
		data = lseek(pool->fd, hole, SEEK_DATA);
		if (data < 0 || data > end)
			data = end;
		found = pool_mark_gone(pool, hole, data);
		if (!found || data == end)
			break;
	}
	if (found)
		return 0;
	log_err("pool: memory of %s is gone after an uncorrectable error, and farmemd cannot tell whose it was; remove the file to start empty, which loses the data in it",
		path);
	return -EINVAL;
}

/*
 * Takes the generation from the superblock; without one there is nothing to take over.
 * Before the pool is mapped: to map huge pages may fill the gaps.
 */
static int pool_take_over(struct pool *pool, const char *path)
{
	struct super_geometry found;
	struct stat st;
	int ret = pool_file_read_super(pool->fd, pool->mapped, &found);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	pool->generation = found.generation;
	pool->kept = true;
	/* A file without gaps has all its memory. */
	if (fstat(pool->fd, &st) || st.st_blocks * 512ull >= pool->mapped)
		return 0;
	pool->hollow = calloc(pool->slabs, sizeof(*pool->hollow));
	ret = pool->hollow ? super_find_hollow(pool->fd, pool->size + (pool->size >> FARMEM_PAGE_SHIFT),
					       pool->slabs, pool->hollow) : -ENOMEM;
	return ret ? ret : pool_find_gone(pool, path);
}

/* After pool_find_gone(): to read what is gone would make it zeros. */
static int pool_read_super(struct pool *pool, const char *path)
{
	if (!super_map_load(&pool->super))
		return 0;
	log_err("pool: %s: an uncorrectable memory error in its superblock; remove the file to start empty, which loses the data in it",
		path);
	return -EINVAL;
}

static int pool_format(struct pool *pool)
{
	struct super_geometry geometry = {
		.slab_size = pool->slab_size,
		.slabs = pool->slabs,
	};
	int ret = pool_random_generation(&pool->generation);

	if (ret)
		return ret;
	geometry.generation = pool->generation;
	return super_format(&pool->super, &geometry, pool->floor);
}

static void pool_explain(int error, const struct options *opt)
{
	char size[SIZE_TEXT];

	format_size(pool_size_mapped(opt->size, opt->slab_size, opt->hugepage_size) - opt->spare, size);
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

static int pool_open(struct pool *pool, const struct options *opt, bool *made)
{
	int ret;

	if (opt->pool) {
		pool->fd = pool_file_open(opt, pool->mapped, made);
		return pool->fd < 0 ? pool->fd : 0;
	}
	*made = true;
	pool->fd = pool_open_memfd(opt->hugepage_size);
	if (pool->fd >= 0 && !ftruncate(pool->fd, pool->mapped))
		return 0;
	ret = -errno;
	pool_explain(ret, opt);
	return ret;
}

/* The floor, and what is behind the slabs. */
static int pool_fill(const struct pool *pool, int fd)
{
	int ret;

	if (pool->floor == pool->slabs)
		return prefault_now(pool->base, 0, pool->mapped, fd);
	ret = prefault_now(pool->base, 0, pool_floor_bytes(pool), fd);
	return ret ? ret : prefault_now(pool->base, pool->size, pool->mapped - pool->size, fd);
}

/* All of it, before anything is lent; @made: there was nothing. */
static int pool_make_new(struct pool *pool, const struct options *opt, bool made)
{
	/* What mmap() did not reserve fallocate() may find to be missing. */
	int ret = pool_fill(pool, opt->pool || (opt->spare && opt->hugepage_size) ? pool->fd : -1);

	if (ret) {
		pool_explain(ret, opt);
		/* A file that is filled in part must not look like a pool. */
		if (made && opt->pool && ftruncate(pool->fd, 0))
			log_err("pool: cannot empty %s again: %m; remove it", opt->pool);
		return ret;
	}
	if (!made && !pool_is_blank(pool)) {
		log_err("pool: %s has contents, but no superblock of farmemd; give the name of another file, or remove this one if it is not needed",
			opt->pool);
		return -EINVAL;
	}
	return pool_format(pool);
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
	pool->floor = (opt->size - opt->spare) / opt->slab_size;
	pool->mapped = pool_size_mapped(opt->size, opt->slab_size, opt->hugepage_size);
	pool->bad = calloc(1, sizeof(*pool->bad) + pool->slabs * sizeof(pool->bad->slab[0]));
	if (!pool->bad)
		return -ENOMEM;

	ret = pool_open(pool, opt, &made);
	if (!ret && !made)
		ret = pool_take_over(pool, opt->pool);
	if (!ret) {
		ret = pool_map(pool);
		if (ret)
			pool_explain(ret, opt);
	}
	if (!ret)
		ret = pool->kept ? pool_read_super(pool, opt->pool) :
				   pool_make_new(pool, opt, made);
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
	super_map_free(&pool->super);
	free(pool->bad);
	free(pool->hollow);
	pool->bad = NULL;
	pool->hollow = NULL;
	pool->base = NULL;
	pool->fd = -1;
}

bool pool_is_kept(const struct pool *pool, const struct options *opt)
{
	struct stat has, named;

	return opt->pool && pool->super.area && !fstat(pool->fd, &has) && !stat(opt->pool, &named) &&
	       has.st_dev == named.st_dev && has.st_ino == named.st_ino;
}

struct zeroing {
	const struct pool *pool;
	struct slab_run run;
};

static void pool_zero_slabs(void *data)
{
	const struct zeroing *zeroing = data;
	const struct pool *pool = zeroing->pool;
	struct slab_run run = zeroing->run;

	memset(pool_data(pool, run.first), 0, run.count * pool->slab_size);
	memset(pool_meta(pool, run.first), 0, run.count * pool_meta_per_slab(pool));
}

/* Memory for slabs, of zeros where there was none; -ENOSPC: the machine has too little. */
static int pool_take(const struct pool *pool, struct slab_run run)
{
	int ret;

	do {
		ret = fallocate(pool->fd, FALLOC_FL_KEEP_SIZE, run.first * pool->slab_size,
				run.count * pool->slab_size);
	} while (ret && errno == EINTR);
	return !ret ? 0 : errno == ENOMEM ? -ENOSPC : -errno;
}

int pool_zero(const struct pool *pool, struct slab_run run)
{
	struct zeroing zeroing = { pool, run };
	uint32_t slab;
	int ret;

	/* A store to a page that the machine lacks would end farmemd. */
	ret = pool_may_lack_memory(pool) ? pool_take(pool, run) : 0;
	if (ret)
		return ret;
	if (poison_try(pool_zero_slabs, &zeroing))
		return 0;
	/* Another access would meet the error again: none of these slabs is lent any more. */
	if (pool_probe(pool, run) != -EHWPOISON)
		for (slab = run.first; slab < run.first + run.count; slab++)
			pool_mark_bad(pool, slab);
	return -EHWPOISON;
}

static int pool_probe_slab(const struct pool *pool, uint32_t slab)
{
	int ret;

	/* A page that is gone from its file would come back as zeros when it is read. */
	if (slab_is_bad(pool->bad, slab))
		return -EHWPOISON;
	ret = prefault_range(pool_data(pool, slab), pool->slab_size);
	if (!ret)
		ret = prefault_range(pool_meta(pool, slab), pool_meta_per_slab(pool));
	if (ret == -EHWPOISON)
		pool_mark_bad(pool, slab);
	return ret;
}

int pool_probe(const struct pool *pool, struct slab_run run)
{
	int worst = 0, ret;
	uint32_t slab;

	for (slab = run.first; slab < run.first + run.count; slab++) {
		ret = pool_probe_slab(pool, slab);
		if (ret && worst != -EHWPOISON)
			worst = ret;
	}
	return worst;
}
