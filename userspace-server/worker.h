/* SPDX-License-Identifier: GPL-2.0 */
/* worker.h - a thread for what takes long */
#ifndef WORKER_H
#define WORKER_H

#include <stdbool.h>
#include <systemd/sd-event.h>

#include "job-queue.h"

struct worker;

/**
 * worker_start() - start the thread and attach it to the event loop
 * @event: the loop
 * @progress: called in the loop whenever jobs have been done, or steps of one; or NULL
 * @data: for that
 *
 * Return: the worker, or NULL with errno set.
 */
struct worker *worker_start(sd_event *event, void (*progress)(void *data), void *data);

/* worker_submit() - queue a job; never fails.  Context: event loop. */
void worker_submit(struct worker *worker, struct job *job);

/* worker_submit_urgent() - the same, ahead of all that worker_submit() has queued */
void worker_submit_urgent(struct worker *worker, struct job *job);

/**
 * worker_cancel() - take a job back
 * @worker: where the job was submitted
 * @job: submitted, and not done yet
 *
 * Context: event loop.  Return: true if it has not begun, and will not; then the job
 * is the caller's again, and neither run() nor done() is called.
 */
bool worker_cancel(struct worker *worker, struct job *job);

/* worker_step() - part of a long job is done.  Context: that job's run(). */
void worker_step(struct worker *worker);

/**
 * worker_stop() - run what is queued, call every done(), end the thread
 * @worker: freed
 *
 * Context: event loop thread, when the loop has ended.  A done() may submit
 * further jobs; they are run too.
 */
void worker_stop(struct worker *worker);

/**
 * worker_stop_within() - the same, unless a job takes longer
 * @worker: stays as it is if its thread has not ended
 * @seconds: of patience
 *
 * Return: has it ended?
 */
bool worker_stop_within(struct worker *worker, unsigned int seconds);

#endif /* WORKER_H */
