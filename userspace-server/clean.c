// SPDX-License-Identifier: GPL-2.0
/*
 * clean.c - free slabs: zeroed, so that they are ready when wanted, or given back.
 *
 * Owns the one background job.  Called whenever slabs become dirty: no queue pair that
 * could reach them exists any more.  A registration of their last owner may still exist,
 * and is of no use without a queue pair; it keeps the memory from the machine until it goes.
 */
#include <errno.h>
#include <string.h>

#include "clean.h"
#include "log.h"
#include "premap.h"
#include "server.h"
#include "util.h"
#include "worker.h"

#define STEP_BYTES (64ull << 20)

static uint32_t clean_most(const struct server *server)
{
	uint64_t slabs = STEP_BYTES / server->pool.slab_size;

	return slabs ? slabs : 1;
}

/* One by one where the machine may have no memory for a slab, and some for the next. */
unsigned int clean_step(const struct server *server)
{
	return pool_may_lack_memory(&server->pool) ? 1 : clean_most(server);
}

static void clean_run(struct job *job)
{
	struct clean *clean = container_of(job, struct clean, job);
	const struct pool *pool = &clean->server->pool;

	clean->error = clean->give ? pool_give(pool, clean->run) : pool_zero(pool, clean->run);
	clean->emptied = false;
	/* What it has got before that was all. */
	if (!clean->give && clean->error && clean->error != -EHWPOISON)
		clean->emptied = !pool_give(pool, clean->run);
}

static void clean_given(struct server *server)
{
	struct clean *clean = &server->clean;
	uint32_t count = clean->run.count;

	if (!clean->error) {
		/* What was never filled is not given. */
		server->headroom.given += min(server->headroom.give, count);
		server->headroom.give -= min(server->headroom.give, count);
		server->slabs.unfilled -= min(server->slabs.unfilled, count);
		clean->failed = false;
		return;
	}
	if (!clean->failed)
		log_err("pool: cannot give memory back: %s", strerror(-clean->error));
	clean->failed = true;
	clean->refused = true;
	slab_give_failed(&server->slabs, clean->run);
}

static void clean_zeroed(struct server *server)
{
	struct clean *clean = &server->clean;

	slab_clean_end(&server->slabs, clean->run, !clean->error ? SLAB_CLEAN :
		       clean->emptied ? SLAB_ABSENT : SLAB_DIRTY);
	clean->refused |= clean->error && clean->error != -EHWPOISON;
}

static void clean_done(struct job *job)
{
	struct clean *clean = container_of(job, struct clean, job);

	clean->active = false;
	if (clean->give)
		clean_given(clean->server);
	else
		clean_zeroed(clean->server);
	clean_kick(clean->server);
}

/* Slabs that are to go back: never of the floor. */
static uint32_t clean_wants_give(struct server *server, uint32_t held)
{
	uint32_t above = held > server->pool.floor ? held - server->pool.floor : 0;

	if (!above)
		server->slabs.unfilled = 0;
	return min(above, server->headroom.give + server->slabs.unfilled);
}

static bool clean_choose(struct server *server)
{
	struct clean *clean = &server->clean;
	struct slab_table *slabs = &server->slabs;
	uint32_t held = slabs->count - slabs->in[SLAB_ABSENT];
	uint32_t give = clean_wants_give(server, held);

	/* What maps a kept pool would give memory again to what goes back. */
	if (clean->refused || (give && !premap_is_over(server->premap)))
		return false;
	if (give)
		clean->run = slab_give_begin(slabs, min(give, clean_most(server)));
	clean->give = give && clean->run.count;
	if (clean->give)
		return true;
	clean->run = slab_clean_begin(slabs, clean_step(server));
	if (clean->run.count || held >= server->pool.floor)
		return clean->run.count;
	slab_wake(slabs, 1);
	clean->run = slab_clean_begin(slabs, 1);
	return clean->run.count;
}

void clean_kick(struct server *server)
{
	struct clean *clean = &server->clean;

	if (clean->active || server->stopping || !clean_choose(server))
		return;
	clean->active = true;
	clean->server = server;
	clean->job.run = clean_run;
	clean->job.done = clean_done;
	worker_submit(server->worker, &clean->job);
}
