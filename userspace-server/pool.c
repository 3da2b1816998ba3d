// SPDX-License-Identifier: GPL-2.0
/*
 * pool.c - getting hold of the memory to lend.
 *
 * Owns the file (pool-file.c has --pool's, otherwise it is a memfd) and its mapping.
 * Called by main() once; grant.c and clean.c ask for addresses and have slabs zeroed by the worker.
 */
#include <errno.h>
#include <linux/memfd.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include "log.h"
#include "options.h"
#include "parse.h"
#include "pool-file.h"
#include "pool.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23	/* Linux 5.14, newer than the headers */
#endif

#define PREFAULT_STEP	(256ull << 20)
#define PROGRESS_BYTES	(16ull << 30)	/* a pool this small needs no progress lines */
#define START_TIMEOUT	"60000000"	/* microseconds that systemd is to wait on */

static int open_memfd(uint64_t hugepage_size)
{
	unsigned int flags = MFD_CLOEXEC;

	if (hugepage_size == 1ull << 30)
		flags |= MFD_HUGETLB | MFD_HUGE_1GB;
	else if (hugepage_size)
		flags |= MFD_HUGETLB | MFD_HUGE_2MB;
	return memfd_create("farmem-pool", flags);
}

static bool stop_is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGTERM) || sigismember(&pending, SIGINT);
}

static int prefault_step(uint8_t *start, uint64_t bytes)
{
	static const size_t page = FARMEM_PAGE_SIZE;
	uint64_t at;

	if (!madvise(start, bytes, MADV_POPULATE_WRITE))
		return 0;
	if (errno != EINVAL)
		return -errno;
	/* Before Linux 5.14.  It may be a pool that holds data. */
	for (at = 0; at < bytes; at += page)
		*(volatile uint8_t *)(start + at) = *(volatile uint8_t *)(start + at);
	return 0;
}

static void log_progress(uint64_t done, uint64_t total)
{
	char a[SIZE_TEXT], b[SIZE_TEXT];

	sd_notifyf(0, "EXTEND_TIMEOUT_USEC=" START_TIMEOUT "\nSTATUS=Taking memory: %d %%",
		   (int)(done * 100 / total));
	if (total >= PROGRESS_BYTES && !(done % (total / 10 / PREFAULT_STEP * PREFAULT_STEP)))
		log_info("pool: %s of %s taken", format_size(done, a), format_size(total, b));
}

static int prefault(const struct pool *pool)
{
	uint64_t done, step;
	int ret;

	for (done = 0; done < pool->mapped; done += step) {
		if (stop_is_pending())
			return -EINTR;
		step = pool->mapped - done < PREFAULT_STEP ? pool->mapped - done : PREFAULT_STEP;
		ret = prefault_step(pool->base + done, step);
		if (!ret && mlock(pool->base + done, step))
			ret = -errno;
		if (ret)
			return ret;
		log_progress(done + step, pool->mapped);
	}
	return 0;
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

/* What the memory says of itself; @made: nothing.  -ENOENT: it is new. */
static int take_over(struct pool *pool, const struct options *opt, bool made)
{
	struct super_geometry found;
	int ret = made ? -ENOENT : super_read(pool->super.head, &found);

	if (ret == -ENOENT && !made && !is_blank(pool)) {
		log_err("pool: %s holds something, and no superblock of farmemd's; give the name of another file, or remove it if nobody needs it",
			opt->pool);
		return -EINVAL;
	}
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

static int take_memory(struct pool *pool, const struct options *opt)
{
	int ret = map_memory(pool);

	if (!ret)
		ret = prefault(pool);
	if (ret)
		explain(ret, opt);
	return ret;
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
	if (!ret)
		ret = take_memory(pool, opt);
	if (!ret) {
		ret = take_over(pool, opt, made);
		if (ret == -ENOENT)
			ret = format(pool);
	}
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
