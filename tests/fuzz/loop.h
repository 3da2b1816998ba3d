/* SPDX-License-Identifier: GPL-2.0 */
/* loop.h - timers and the workers in the target's hands */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <sys/queue.h>
#include <systemd/sd-event.h>

/* A timer or a file in the loop; @own: the loop's own, nobody else frees it. */
struct sd_event_source {
	LIST_ENTRY(sd_event_source) link;
	int (*time)(struct sd_event_source *source, uint64_t usec, void *data);
	void *data;
	bool on;
	bool own;
};

/* All that exist, the newest first. */
extern LIST_HEAD(loop_sources, sd_event_source) loop_sources;

/* The server's. */
enum { LOOP_MEMORY, LOOP_CONNECTOR, LOOP_FENCER, LOOP_CLOSER, LOOP_WORKERS };

struct worker *loop_worker(unsigned int which);

/* A worker runs its next job, or its result reaches the loop.  False: there is none. */
bool loop_job_run(unsigned int which);
bool loop_job_done(unsigned int which);

/* loop_on() - nothing exists; loop_off() - nothing may be left */
void loop_on(void);
void loop_off(void);

#endif /* LOOP_H */
