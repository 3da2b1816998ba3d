/* SPDX-License-Identifier: GPL-2.0 */
/* dialog.h - control messages and the completions of queue 0 */
#ifndef DIALOG_H
#define DIALOG_H

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

#include "farmem-proto.h"

struct server;
struct session;

/*
 * wr_id of the receives 0..7 is their buffer, of sends DIALOG_SEND + buffer, of the
 * receive of a further queue DIALOG_QUEUE + its index.
 */
#define DIALOG_SEND	0x100
#define DIALOG_PROBE	0x200
#define DIALOG_QUEUE	0x10000

/* dialog_completions() - a session's completion queue has something; it may be dead */
void dialog_completions(struct session *session);

/**
 * dialog_next() - handle the requests that have arrived, as far as possible
 *
 * To be called whenever a request may have become answered: from the events,
 * not from the handling of a request.
 */
void dialog_next(struct session *session);

/**
 * dialog_working() - the worker has done something: tell who waits for an answer
 *
 * A client's patience would not last for a large volume, nor for many clients that
 * come at once, after a restart say.  It begins anew with each WORKING.
 */
void dialog_working(const struct server *server);

/* dialog_post_receive() - post receive buffer @slot.  Return: 0 or an errno. */
int dialog_post_receive(struct session *session, struct ibv_qp *qp, unsigned int slot);

/**
 * dialog_watch() - hear of it when a further queue breaks
 * @qp: its queue pair
 * @index: in the session, not 0
 *
 * Posts a receive of no bytes, which no client that keeps to the protocol uses up:
 * the adapter gives it back when the queue pair fails.
 *
 * Return: 0 or an errno.
 */
int dialog_watch(struct ibv_qp *qp, uint16_t index);

/**
 * dialog_broke() - end the session of a queue that its adapter has failed
 * @session: whose
 * @index: the queue
 * @what: the adapter's word for it
 */
void dialog_broke(struct session *session, unsigned int index, const char *what);

/**
 * dialog_buffer() - a free send buffer of FARMEM_MSG_MAX bytes
 *
 * Return: its number, -1 if all are in flight: then the client acknowledges
 * nothing, or asks faster than it listens.
 */
int dialog_buffer(const struct session *session);

/* dialog_buffer_address() - where buffer @slot is */
void *dialog_buffer_address(const struct session *session, int slot);

/* dialog_send() - send @len bytes of buffer @slot.  Return: 0 or an errno. */
int dialog_send(struct session *session, int slot, size_t len);

/* dialog_sends() - buffers in flight */
unsigned int dialog_sends(const struct session *session);

/* dialog_welcome() - answer the HELLO of a session that is live now, or a visitor's */
void dialog_welcome(struct session *session);

/**
 * dialog_refuse() - answer the HELLO of a new session with a refusal
 * @session: it ends when that was sent, or soon
 * @reason: why
 * @detail: the same for a person, there and in our log; copied
 */
void dialog_refuse(struct session *session, enum farmem_reason reason, const char *detail);

/* dialog_goodbye() - tell a client that the server is going */
void dialog_goodbye(struct session *session);

#endif /* DIALOG_H */
