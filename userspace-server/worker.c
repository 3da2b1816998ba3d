// SPDX-License-Identifier: GPL-2.0
/*
 * worker.c - threads that do what takes long: struct server says which there are.
 *
 * Owns three queues of each, guarded by one mutex: jobs to run, urgent ones and others,
 * and jobs that have run.  An eventfd tells the event loop of the latter.  Called by
 * grant.c, session.c, conn.c and clean.c.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "job-queue.h"
#include "log.h"
#include "thread.h"
#include "worker.h"

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct job_queue urgent;
	struct job_queue queued;
	struct job_queue finished;
	bool stopping;
	void (*progress)(void *data);
	void *data;
	int eventfd;
	sd_event_source *source;
};

static bool worker_is_idle(const struct worker *worker)
{
	return STAILQ_EMPTY(&worker->urgent) && STAILQ_EMPTY(&worker->queued);
}

static struct job *worker_next(struct worker *worker)
{
	struct job *job;

	pthread_mutex_lock(&worker->lock);
	while (worker_is_idle(worker) && !worker->stopping)
		pthread_cond_wait(&worker->wake, &worker->lock);
	job = job_queue_take(&worker->urgent);
	if (!job)
		job = job_queue_take(&worker->queued);
	pthread_mutex_unlock(&worker->lock);
	return job;
}

void worker_step(struct worker *worker)
{
	uint64_t one = 1;

	if (write(worker->eventfd, &one, sizeof(one)) < 0)
		log_err("worker: eventfd: %m");
}

static void worker_finish(struct worker *worker, struct job *job)
{
	pthread_mutex_lock(&worker->lock);
	STAILQ_INSERT_TAIL(&worker->finished, job, link);
	pthread_mutex_unlock(&worker->lock);
	worker_step(worker);
}

static void *worker_run(void *data)
{
	struct worker *worker = data;
	struct job *job;

	while ((job = worker_next(worker))) {
		job->run(job);
		worker_finish(worker, job);
	}
	return NULL;
}

/* Call done() of every finished job; true if there was one. */
static bool worker_reap(struct worker *worker)
{
	struct job_queue finished = STAILQ_HEAD_INITIALIZER(finished);
	struct job *job;
	bool any = false;

	pthread_mutex_lock(&worker->lock);
	STAILQ_CONCAT(&finished, &worker->finished);
	pthread_mutex_unlock(&worker->lock);
	while ((job = STAILQ_FIRST(&finished))) {
		STAILQ_REMOVE_HEAD(&finished, link);
		job->done(job);
		any = true;
	}
	return any;
}

static int worker_on_finished(sd_event_source *source, int fd, uint32_t events, void *data)
{
	struct worker *worker = data;
	uint64_t count;

	(void)source;
	(void)events;
	if (read(fd, &count, sizeof(count)) > 0) {
		worker_reap(worker);
		if (worker->progress)
			worker->progress(worker->data);
	}
	return 0;
}

static void worker_free(struct worker *worker)
{
	sd_event_source_disable_unref(worker->source);
	if (worker->eventfd >= 0)
		close(worker->eventfd);
	free(worker);
}

struct worker *worker_start(sd_event *event, void (*progress)(void *data), void *data)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	int ret;

	if (!worker)
		return NULL;
	worker->progress = progress;
	worker->data = data;
	STAILQ_INIT(&worker->urgent);
	STAILQ_INIT(&worker->queued);
	STAILQ_INIT(&worker->finished);
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->wake, NULL);
	worker->eventfd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ret = worker->eventfd < 0 ? errno : 0;
	if (!ret)
		ret = -sd_event_add_io(event, &worker->source, worker->eventfd, EPOLLIN,
				       worker_on_finished, worker);
	if (!ret)
		ret = thread_start(&worker->thread, worker_run, worker);
	if (!ret)
		return worker;
	worker_free(worker);
	errno = ret;
	return NULL;
}

static void worker_submit_to(struct worker *worker, struct job_queue *queue, struct job *job)
{
	pthread_mutex_lock(&worker->lock);
	STAILQ_INSERT_TAIL(queue, job, link);
	pthread_cond_signal(&worker->wake);
	pthread_mutex_unlock(&worker->lock);
}

void worker_submit(struct worker *worker, struct job *job)
{
	worker_submit_to(worker, &worker->queued, job);
}

void worker_submit_urgent(struct worker *worker, struct job *job)
{
	worker_submit_to(worker, &worker->urgent, job);
}

bool worker_cancel(struct worker *worker, struct job *job)
{
	bool taken;

	pthread_mutex_lock(&worker->lock);
	taken = job_queue_remove(&worker->urgent, job) || job_queue_remove(&worker->queued, job);
	pthread_mutex_unlock(&worker->lock);
	return taken;
}

/* False: the thread has not ended by then. */
static bool worker_join(struct worker *worker, const struct timespec *until)
{
	pthread_mutex_lock(&worker->lock);
	worker->stopping = true;
	pthread_cond_signal(&worker->wake);
	pthread_mutex_unlock(&worker->lock);
	return until ? !pthread_timedjoin_np(worker->thread, NULL, until) :
		       !pthread_join(worker->thread, NULL);
}

static bool worker_stop_by(struct worker *worker, const struct timespec *until)
{
	bool idle;

	/* The thread ends when its queue is empty; done() may have filled it again. */
	do {
		if (!worker_join(worker, until))
			return false;
		worker_reap(worker);
		idle = worker_is_idle(worker);
		worker->stopping = idle;
	} while (!idle && !thread_start(&worker->thread, worker_run, worker));
	worker_free(worker);
	return true;
}

void worker_stop(struct worker *worker)
{
	worker_stop_by(worker, NULL);
}

bool worker_stop_within(struct worker *worker, unsigned int seconds)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	return worker_stop_by(worker, &until);
}
