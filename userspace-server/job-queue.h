/* SPDX-License-Identifier: GPL-2.0 */
/* job-queue.h - jobs of a worker, in their order */
#ifndef JOB_QUEUE_H
#define JOB_QUEUE_H

#include <stdbool.h>
#include <sys/queue.h>

#include "worker.h"

STAILQ_HEAD(job_queue, job);

/* job_queue_take() - the first one, or NULL */
struct job *job_queue_take(struct job_queue *queue);

/* job_queue_remove() - this one.  Return: was it there? */
bool job_queue_remove(struct job_queue *queue, struct job *job);

#endif /* JOB_QUEUE_H */
