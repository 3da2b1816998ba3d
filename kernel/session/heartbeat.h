/* SPDX-License-Identifier: GPL-2.0 */
/*
 * heartbeat.h - each side hears that the other is there, while nothing is asked.
 *
 * One-sided, as the data path: a READ of the server's status page, a WRITE of a
 * counter that the server looks at on a slow timer of its own.
 */
#ifndef FARMEM_HEARTBEAT_H
#define FARMEM_HEARTBEAT_H

#include <linux/atomic.h>
#include <linux/workqueue.h>

#include "extent.h"

struct farmem_session;
struct farmem_welcome_info;

/* Seconds. */
#define FARMEM_HEARTBEAT_DEFAULT 5
#define FARMEM_HEARTBEAT_MAX 60

/**
 * struct farmem_heartbeat - of a session
 * @work: beats, and looks after the queues; only while the session is live
 * @status: where the server's status page is
 * @counter: where the beats go
 * @status_page: what was read, a struct farmem_status
 * @beat_page: what is written, a little-endian count
 * @under_way: requests of the last beat that are not done
 * @passed: its requests that have succeeded since the session is live: WRITEs, READs
 * @sent: jiffies, of the last beat
 * @dropped: a fault on purpose: the last beat never left
 */
struct farmem_heartbeat {
	struct delayed_work work;
	struct farmem_extent status;
	struct farmem_extent counter;
	struct page *status_page;
	struct page *beat_page;
	atomic_t under_way;
	atomic_t passed[2];
	unsigned long sent;
	bool dropped;
};

void farmem_heartbeat_init(struct farmem_session *s);

/** farmem_heartbeat_alloc() - its pages.  May sleep.  Return: 0 or -ENOMEM. */
int farmem_heartbeat_alloc(struct farmem_session *s);

/** farmem_heartbeat_free() - no queue of the session is left; idempotent. */
void farmem_heartbeat_free(struct farmem_session *s);

/**
 * farmem_heartbeat_aim() - at what a WELCOME says
 * @s: connecting or recovering: nothing is under way
 * @info: an address of 0: the server has no such thing
 */
void farmem_heartbeat_aim(struct farmem_session *s,
			  const struct farmem_welcome_info *info);

/**
 * farmem_heartbeat_patience() - how long a queue may stand still
 * @s: whose peer_timeout and heartbeat count
 *
 * Longer than the adapter may take to find out by itself.  Return: jiffies.
 */
unsigned long farmem_heartbeat_patience(const struct farmem_session *s);

/** farmem_heartbeat_start() - the session is live.  Context: any. */
void farmem_heartbeat_start(struct farmem_session *s);

/** farmem_heartbeat_stop() - waits for the work.  Context: may sleep. */
void farmem_heartbeat_stop(struct farmem_session *s);

#endif /* FARMEM_HEARTBEAT_H */
