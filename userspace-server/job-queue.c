// SPDX-License-Identifier: GPL-2.0
/*
 * job-queue.c - jobs of a worker, in their order.
 *
 * Owns nothing: no lock and no thread, both are worker.c's.
 */
#include <stddef.h>

#include "job-queue.h"

struct job *job_queue_take(struct job_queue *queue)
{
	struct job *job = STAILQ_FIRST(queue);

	if (job)
		STAILQ_REMOVE_HEAD(queue, link);
	return job;
}

bool job_queue_remove(struct job_queue *queue, struct job *job)
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
