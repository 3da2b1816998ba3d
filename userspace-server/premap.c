// SPDX-License-Identifier: GPL-2.0
/*
 * premap.c - maps a pool that was kept, in the background.
 *
 * Owns the thread.  Called by main(), when clients may come already: their slabs are
 * mapped as they are registered, the others here.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "format.h"
#include "log.h"
#include "pool.h"
#include "premap.h"
#include "thread.h"

struct premap {
	pthread_t thread;
	const struct pool *pool;
	atomic_bool stop;
	atomic_bool over;
};

static void *premap_run(void *data)
{
	struct premap *premap = data;
	const struct pool *pool = premap->pool;
	time_t start = time(NULL);
	char size[SIZE_TEXT];
	struct slab_run run = { .count = 1 };
	uint64_t bytes = pool->mapped;

	/* With the state bytes of each slab; the superblock is mapped, since it was read. */
	for (; run.first < pool->slabs && !premap->stop; run.first++)
		if (!pool->hollow || !pool->hollow[run.first])
			pool_probe(pool, run);
		else
			bytes -= pool->slab_size;
	premap->over = true;
	if (!premap->stop)
		log_info("pool: all of %s is mapped, after %ld s", format_size(bytes, size),
			 (long)(time(NULL) - start));
	return NULL;
}

struct premap *premap_start(const struct pool *pool)
{
	struct premap *premap = calloc(1, sizeof(*premap));

	if (!premap)
		return NULL;
	premap->pool = pool;
	if (!thread_start(&premap->thread, premap_run, premap))
		return premap;
	free(premap);
	return NULL;
}

bool premap_is_over(const struct premap *premap)
{
	return !premap || premap->over;
}

void premap_stop(struct premap *premap)
{
	if (!premap)
		return;
	premap->stop = true;
	pthread_join(premap->thread, NULL);
	free(premap);
}
