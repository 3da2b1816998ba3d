/* SPDX-License-Identifier: GPL-2.0 */
/* dialog.h - control messages and the completions of queue 0 */
#ifndef DIALOG_H
#define DIALOG_H

#include "farmem-proto.h"

struct ibv_async_event;
struct server;
struct session;

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

/* dialog_failed() - an adapter has failed a queue pair, or the completion queue */
void dialog_failed(struct session *session, const struct ibv_async_event *event);

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
