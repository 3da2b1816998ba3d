/* SPDX-License-Identifier: GPL-2.0 */
/*
 * connect.h - the steps of rdma_cm that bring one queue up, and down.
 */
#ifndef FARMEM_CONNECT_H
#define FARMEM_CONNECT_H

#include <linux/socket.h>

struct farmem_session;
struct farmem_queue;

/**
 * farmem_connect_resolve() - find the way to the server
 * @s: connecting, its lock held
 * @q: of @s, initialized
 *
 * Every step here and of farmem_connect_establish() is bounded by @s->deadline.  On
 * failure what was made stays for farmem_queue_destroy() and farmem_connect_detach().
 *
 * Context: may sleep.
 * Return: 0, or a negative errno with @s->reason and @q->failed_at set.
 */
int farmem_connect_resolve(struct farmem_session *s, struct farmem_queue *q);

/**
 * farmem_connect_establish() - a queue pair, and a connection of it
 * @s: connecting, its lock held; its device is chosen by queue 0
 * @q: resolved
 *
 * Context and return: as farmem_connect_resolve().
 */
int farmem_connect_establish(struct farmem_session *s, struct farmem_queue *q);

/**
 * farmem_connect_detach() - the queue pair is gone: be done with the cm_id
 * @q: destroyed
 *
 * A connection's id is kept for farmem_connect_disconnect(): to destroy the id sends the
 * peer a DREQ, and a session that fails may have no route to the peer just now.
 * Soft-RoCE's queue pair 1 does not survive that: it receives nothing any more, and
 * with several sends in its queue it may never complete one (rxe_qp_error() and
 * drivers/infiniband/core/mad.c:ib_mad_send_error() on 6.1).
 *
 * Context: may sleep; never from the id's own event handler.  Idempotent.
 */
void farmem_connect_detach(struct farmem_queue *q);

/**
 * farmem_connect_disconnect() - say goodbye to the peer of the connection before
 * @q: disconnected since; its session has still the device
 *
 * Waits until the DREQ is sent: only one of ours is in a queue pair 1 at a time.
 * Context: may sleep; never from the id's own event handler.  Idempotent.
 */
void farmem_connect_disconnect(struct farmem_queue *q);

#endif /* FARMEM_CONNECT_H */
