// SPDX-License-Identifier: GPL-2.0
/*
 * clean.c - zeroing of free slabs, so that they are ready when wanted.
 *
 * Owns the one background job.  Called whenever slabs become dirty: no queue pair that
 * could reach them exists any more.  A registration of their last owner may still exist,
 * and is of no use without a queue pair.
 */
#include "clean.h"
#include "server.h"
#include "util.h"
#include "worker.h"

#define STEP_BYTES (64ull << 20)

unsigned int clean_step(const struct server *server)
{
	uint64_t slabs = STEP_BYTES / server->pool.slab_size;

	return slabs ? slabs : 1;
}

static void clean_run(struct job *job)
{
	struct clean *clean = container_of(job, struct clean, job);

	clean->error = pool_zero(&clean->server->pool, clean->run);
}

static void clean_done(struct job *job)
{
	struct clean *clean = container_of(job, struct clean, job);
	struct server *server = clean->server;

	slab_clean_end(&server->slabs, clean->run, !clean->error);
	clean->active = false;
	clean_kick(server);
}

void clean_kick(struct server *server)
{
	struct clean *clean = &server->clean;

	if (clean->active || server->stopping)
		return;
	clean->run = slab_clean_begin(&server->slabs, clean_step(server));
	if (!clean->run.count)
		return;
	clean->active = true;
	clean->server = server;
	clean->job.run = clean_run;
	clean->job.done = clean_done;
	worker_submit(server->worker, &clean->job);
}
