/* SPDX-License-Identifier: GPL-2.0 */
/*
 * queue-set.h - the queues of a session, all at once.
 */
#ifndef FARMEM_QUEUE_SET_H
#define FARMEM_QUEUE_SET_H

struct farmem_session;

/** farmem_queues_init() - of a new session: it has none. */
void farmem_queues_init(struct farmem_session *s);

/**
 * farmem_queues_up() - connect queue 0, introduce ourselves, connect one of each type
 * @s: connecting or recovering, its lock held; its queues are down
 *
 * The first time all are allocated; submitters may look at them from then
 * on until farmem_queues_free().  They take no requests yet.  Fewer than wanted are no
 * error: CPUs then share what there is.
 *
 * Context: may sleep, until @s->deadline at most.
 * Return: 0; or a negative errno with @s->reason set, and what is up stays for
 * farmem_queues_down().
 */
int farmem_queues_up(struct farmem_session *s);

/** farmem_queues_start() - take requests that do not park; @s->lock held. */
void farmem_queues_start(struct farmem_session *s);

/**
 * farmem_queues_go_live() - unless the session was aborted meanwhile
 * @s: connecting or recovering, its queues started, or with none (server=local); its
 *	lock held
 *
 * From here on heartbeats go, missing queues are connected, and its users and user space
 * hear of it.  Return: 0 or the abort's error.
 */
int farmem_queues_go_live(struct farmem_session *s);

/**
 * farmem_queues_grow() - have the queues connected that are still missing
 * @s: live, its lock held
 *
 * From a workqueue, one after the other, each with the time of @s->config.connect_timeout, and
 * each is used as soon as it is there.  One that fails costs the session nothing, and is
 * tried again.
 */
void farmem_queues_grow(struct farmem_session *s);

/** farmem_queues_worked() - has a request succeeded since they started?  Any context. */
bool farmem_queues_worked(const struct farmem_session *s);

/**
 * farmem_queues_down() - end all queues, complete what is in flight
 * @s: any state but live, its lock held
 *
 * Afterwards no device can touch a page of any request.  Does nothing twice.
 * Their device is kept, and what is left of their connections: farmem_queues_disconnect().
 * Context: may sleep; bounded.
 */
void farmem_queues_down(struct farmem_session *s);

/**
 * farmem_queues_disconnect() - tell the peer that the connections are over, leave the device
 * @s: its queues are down, its lock held
 *
 * Call it once the server's address has been resolved again, so that there is a route to
 * the server; at the latest when the session or the device goes.
 *
 * Context: may sleep; bounded, but see docs/design/soft-roce.md.  Idempotent.
 */
void farmem_queues_disconnect(struct farmem_session *s);

/** farmem_queues_free() - memory of queues that are down; @s->lock held. */
void farmem_queues_free(struct farmem_session *s);

#endif /* FARMEM_QUEUE_SET_H */
