// SPDX-License-Identifier: GPL-2.0
/*
 * prefault.c - takes the pool's pages, piece by piece.
 *
 * Owns nothing.  Called by pool.c, for a new pool and for slabs that are about to be used,
 * and by standin.c.  What is mapped is locked by then.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <systemd/sd-daemon.h>

#include "farmem-proto.h"
#include "format.h"
#include "log.h"
#include "poison.h"
#include "prefault.h"
#include "spread.h"
#include "util.h"

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22	/* Linux 5.14, newer than the headers */
#endif

#define STEP		(256ull << 20)
#define PROGRESS_BYTES	(16ull << 30)	/* a pool this small needs no progress lines */
#define START_TIMEOUT	"60000000"	/* microseconds that systemd is to wait on */

struct taking {
	uint8_t *base;
	uint64_t from;
	uint64_t bytes;
	int fd;
	atomic_uint done;
};

struct range {
	uint8_t *start;
	uint64_t bytes;
};

static void prefault_read(void *data)
{
	const struct range *range = data;
	uint64_t at;

	for (at = 0; at < range->bytes; at += FARMEM_PAGE_SIZE)
		(void)*(volatile uint8_t *)(range->start + at);
}

int prefault_range(uint8_t *start, uint64_t bytes)
{
	uint64_t into = (uintptr_t)start % FARMEM_PAGE_SIZE;
	struct range range = { start - into, bytes + into };

	if (!madvise(range.start, range.bytes, MADV_POPULATE_READ))
		return 0;
	/* A page with an error, or one that is gone from the file. */
	if (errno == EHWPOISON || errno == EFAULT)
		return -EHWPOISON;
	if (errno != EINVAL)
		return -errno;
	return poison_try(prefault_read, &range) ? 0 : -EHWPOISON;
}

static bool prefault_must_stop(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGTERM) || sigismember(&pending, SIGINT);
}

static unsigned int prefault_steps(uint64_t bytes)
{
	return (bytes + STEP - 1) / STEP;
}

static void prefault_log(struct taking *taking)
{
	unsigned int all = prefault_steps(taking->bytes), done = ++taking->done;
	char a[SIZE_TEXT], b[SIZE_TEXT];

	sd_notifyf(0, "EXTEND_TIMEOUT_USEC=" START_TIMEOUT "\nSTATUS=Taking memory: %u %%",
		   done * 100 / all);
	if (taking->bytes >= PROGRESS_BYTES && done * 10 / all > (done - 1) * 10 / all)
		log_info("pool: %s of %s taken",
			 format_size(min(done * STEP, taking->bytes), a),
			 format_size(taking->bytes, b));
}

/* The kernel zeroes a page when it is first read; what a file system lacks, fallocate() says. */
static int prefault_step(void *data, unsigned int i)
{
	struct taking *taking = data;
	uint64_t at = i * STEP, bytes = min(STEP, taking->bytes - at);
	int ret;

	if (prefault_must_stop())
		return -EINTR;
	at += taking->from;
	if (taking->fd >= 0 && fallocate(taking->fd, 0, at, bytes))
		return errno == EINTR ? -EINTR : -ENOSPC;
	ret = prefault_range(taking->base + at, bytes);
	if (!ret)
		prefault_log(taking);
	return ret;
}

int prefault_now(uint8_t *base, uint64_t from, uint64_t bytes, int fd)
{
	struct taking taking = { .base = base, .from = from, .bytes = bytes, .fd = fd };

	return spread(prefault_steps(bytes), prefault_step, &taking);
}
