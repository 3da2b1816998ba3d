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
 * dialog_progress() - the worker has done something, for any session
 * @server: whose sessions are all looked at
 *
 * OPENs that waited for it go on, requests that waited for an answer are handled, and
 * clients that still wait are told WORKING.  A client's patience begins anew with each
 * WORKING: it would not last for a large volume, nor for many clients that come at once.
 */
void dialog_progress(struct server *server);

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
