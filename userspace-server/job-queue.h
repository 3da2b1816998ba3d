/* SPDX-License-Identifier: GPL-2.0 */
/* job-queue.h - jobs of a worker, in their order */
#ifndef JOB_QUEUE_H
#define JOB_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

/**
 * struct job - something for the worker; embed it
 * @run: does the work, in the worker thread; must not touch what the event
 *	loop may change
 * @done: called in the event loop afterwards; may free the job
 * @link: the worker's
 *
 * Jobs of one worker run one at a time: urgent ones first, else in the order in which they
 * were submitted.  done() is called in the order in which they ran.  Work that takes long
 * is a chain of jobs, each submitted when the one before is done, so the chains of several
 * sessions take turns.  A session is cleared away by jobs that are submitted later than its
 * last request's job, and so run when that has ended.
 */
struct job {
	void (*run)(struct job *job);
	void (*done)(struct job *job);
	STAILQ_ENTRY(job) link;
};

STAILQ_HEAD(job_queue, job);

/* job_queue_take() - the first one, or NULL */
static inline struct job *job_queue_take(struct job_queue *queue)
{
	struct job *job = STAILQ_FIRST(queue);

	if (job)
		STAILQ_REMOVE_HEAD(queue, link);
	return job;
}

/* job_queue_remove() - this one.  Return: was it there? */
static inline bool job_queue_remove(struct job_queue *queue, struct job *job)
{
	const struct job *each;

	STAILQ_FOREACH(each, queue, link) {
		if (each != job)
			continue;
		STAILQ_REMOVE(queue, job, job, link);
		return true;
	}
	return false;
}

#endif /* JOB_QUEUE_H */
