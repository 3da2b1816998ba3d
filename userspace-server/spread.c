// SPDX-License-Identifier: GPL-2.0
/*
 * spread.c - several CPUs share long work that falls into pieces.
 *
 * Owns nothing beyond a call; the caller is one of the threads.  Called by prefault.c, and
 * by the worker for grant.c.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#include "spread.h"
#include "thread.h"
#include "util.h"

/* The kernel's locks of the one address space are shared: more threads gain little. */
#define WIDTH_MAX	8

struct pieces {
	unsigned int count;
	int (*run)(void *data, unsigned int i);
	void *data;
	atomic_uint next;
	atomic_int error;
};

unsigned int spread_width(void)
{
	cpu_set_t mine;
	int cpus = sched_getaffinity(0, sizeof(mine), &mine) ? 1 : CPU_COUNT(&mine);

	return min(cpus, WIDTH_MAX);
}

static void *spread_work(void *data)
{
	struct pieces *pieces = data;
	unsigned int i;
	int ret, none;

	while (!pieces->error && (i = pieces->next++) < pieces->count) {
		ret = pieces->run(pieces->data, i);
		none = 0;
		if (ret)
			atomic_compare_exchange_strong(&pieces->error, &none, ret);
	}
	return NULL;
}

int spread(unsigned int count, int (*run)(void *data, unsigned int i), void *data)
{
	struct pieces pieces = { .count = count, .run = run, .data = data };
	unsigned int others = min(count, spread_width()), started = 0;
	pthread_t thread[WIDTH_MAX];

	while (started + 1 < others && !thread_start(&thread[started], spread_work, &pieces))
		started++;
	spread_work(&pieces);
	while (started)
		pthread_join(thread[--started], NULL);
	return pieces.error;
}
