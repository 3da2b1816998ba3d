// SPDX-License-Identifier: GPL-2.0
/*
 * loop.c - the event loop's timers and the workers, both at the target's command,
 * and random numbers that are not.
 *
 * Called by the server's sources as libsystemd, worker.c and libc are, and by
 * fuzz_session.c.
 */
#include <errno.h>

#include "adapter.h"
#include "bed.h"
#include "fuzz.h"
#include "job-queue.h"
#include "loop.h"
#include "spread.h"

#define JOB_SECONDS 2	/* long enough for a WORKING */

struct loop_sources loop_sources;

static void *zeroed(size_t size)
{
	void *memory = calloc(1, size);

	REQUIRE(memory);
	return memory;
}

static sd_event_source *add_source(sd_event_source **ret, void *data)
{
	sd_event_source *source = zeroed(sizeof(*source));

	source->data = data;
	LIST_INSERT_HEAD(&loop_sources, source, link);
	if (ret)
		*ret = source;
	source->own = !ret;
	return source;
}

int sd_event_add_time_relative(sd_event *event, sd_event_source **ret, clockid_t clock,
			       uint64_t usec, uint64_t accuracy, sd_event_time_handler_t callback,
			       void *data)
{
	sd_event_source *source;

	if (adapter_fails(ENOMEM))
		return -ENOMEM;
	source = add_source(ret, data);
	source->time = callback;
	source->on = true;
	return 0;
}

int sd_event_add_io(sd_event *event, sd_event_source **ret, int fd, uint32_t events,
		    sd_event_io_handler_t callback, void *data)
{
	if (adapter_fails(ENOMEM))
		return -ENOMEM;
	add_source(ret, data);
	return 0;
}

sd_event_source *sd_event_source_disable_unref(sd_event_source *source)
{
	if (source) {
		LIST_REMOVE(source, link);
		free(source);
	}
	return NULL;
}

int sd_event_source_set_time_relative(sd_event_source *source, uint64_t usec)
{
	return 0;
}

int sd_event_source_set_enabled(sd_event_source *source, int enabled)
{
	source->on = enabled != SD_EVENT_OFF;
	return 0;
}

/* The workers. */

struct worker {
	struct job_queue urgent;
	struct job_queue queued;
	struct job_queue finished;
};

static struct worker workers[LOOP_WORKERS];

struct worker *loop_worker(unsigned int which)
{
	return &workers[which];
}

void worker_submit(struct worker *worker, struct job *job)
{
	STAILQ_INSERT_TAIL(&worker->queued, job, link);
}

void worker_submit_urgent(struct worker *worker, struct job *job)
{
	STAILQ_INSERT_TAIL(&worker->urgent, job, link);
}

bool worker_cancel(struct worker *worker, struct job *job)
{
	return job_queue_remove(&worker->urgent, job) || job_queue_remove(&worker->queued, job);
}

void worker_step(struct worker *worker)
{
	bed_seconds++;
}

/* One piece after the other: adapter.c knows no threads, and an input does the same each time. */
unsigned int spread_width(void)
{
	return 2;
}

int spread(unsigned int count, int (*run)(void *data, unsigned int i), void *data)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++)
		ret = run(data, i);
	return ret;
}

bool loop_job_run(unsigned int which)
{
	struct worker *worker = &workers[which];
	struct job *job = job_queue_take(&worker->urgent);

	if (!job)
		job = job_queue_take(&worker->queued);
	if (!job)
		return false;
	if (which == LOOP_MEMORY)
		bed_seconds += JOB_SECONDS;
	job->run(job);
	STAILQ_INSERT_TAIL(&worker->finished, job, link);
	return true;
}

bool loop_job_done(unsigned int which)
{
	struct job *job = job_queue_take(&workers[which].finished);

	if (job)
		job->done(job);
	return job;
}

/* The same for every input, so that a crash can be repeated. */
ssize_t __wrap_getrandom(void *buf, size_t len, unsigned int flags)
{
	static uint64_t state = 1;
	uint8_t *byte = buf;
	size_t i;

	for (i = 0; i < len; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		byte[i] = state >> 56;
	}
	return len;
}

void loop_on(void)
{
	unsigned int i;

	LIST_INIT(&loop_sources);
	for (i = 0; i < LOOP_WORKERS; i++) {
		STAILQ_INIT(&workers[i].urgent);
		STAILQ_INIT(&workers[i].queued);
		STAILQ_INIT(&workers[i].finished);
	}
}

void loop_off(void)
{
	sd_event_source *source, *next;
	unsigned int i;

	for (source = LIST_FIRST(&loop_sources); source; source = next) {
		next = LIST_NEXT(source, link);
		if (source->own)
			sd_event_source_disable_unref(source);
	}
	REQUIRE(LIST_EMPTY(&loop_sources));
	for (i = 0; i < LOOP_WORKERS; i++)
		REQUIRE(STAILQ_EMPTY(&workers[i].urgent) && STAILQ_EMPTY(&workers[i].queued) &&
			STAILQ_EMPTY(&workers[i].finished));
}
