/* SPDX-License-Identifier: GPL-2.0 */
/*
 * repost.h - a memory's requests that were given back, until they are posted again.
 *
 * They have been posted once, and hold what their submitters gave them.  To keep them
 * allocates nothing.
 */
#ifndef FARMEM_REPOST_H
#define FARMEM_REPOST_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "verdict.h"

struct farmem_memory;
struct farmem_request;

/**
 * struct farmem_repost - requests that wait
 * @lock: guards @requests and @count; taken with interrupts off
 * @requests: by how long they may wait
 * @count: of all of them
 * @work: posts those that come late, when the session is live again; waits for nothing
 * @deadline: fails them, from softirq: no worker need be free; the next of any lane's
 * @killed: looks whether a task that waits for one of them has been killed
 */
struct farmem_repost {
	spinlock_t lock;
	struct list_head requests[FARMEM_LANES];
	unsigned int count;
	struct work_struct work;
	struct timer_list deadline;
	struct timer_list killed;
};

void farmem_repost_init(struct farmem_repost *r);

/**
 * farmem_repost_request() - keep a request that its queue gave back: ops->park
 * @req: unmapped, on no list
 *
 * Context: any up to softirq.  Return: false if it is to fail.
 */
bool farmem_repost_request(struct farmem_request *req);

/**
 * farmem_repost_resume() - requests that waited for another one may go
 * @requests: of a volume; unmapped, linked by @entry; empty afterwards
 *
 * Context: any up to softirq.
 */
void farmem_repost_resume(struct list_head *requests);

/**
 * farmem_repost_update() - the verdict, or the deadline, is another one
 * @m: open
 *
 * Posts, fails or times what waits.  Context: up to softirq, interrupts on.
 */
void farmem_repost_update(struct farmem_memory *m);

/** farmem_repost_stop() - wait until nothing of it runs; no request waits, none will. */
void farmem_repost_stop(struct farmem_repost *r);

#endif /* FARMEM_REPOST_H */
