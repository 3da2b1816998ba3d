/* SPDX-License-Identifier: GPL-2.0 */
/* beat.h - heartbeats: what the server shows to clients, and hears from them */
#ifndef BEAT_H
#define BEAT_H

#include <stdbool.h>
#include <stdint.h>

struct message_welcome;
struct server;
struct session;

/* A page of the session's buffers: its first bytes are the counter, the rest is nothing. */
#define BEAT_BYTES 4096

/* beat_open() - make the status page.  Return: 0 or -ENOMEM. */
int beat_open(struct server *server);

/* beat_close() - no session is left that could be reading it */
void beat_close(struct server *server);

/* beat_show() - bring the status page up to date; cheap */
void beat_show(const struct server *server);

/* beat_look() - the same, and what the kernel says about memory pressure */
void beat_look(struct server *server);

/**
 * beat_register() - let a client read the status page and write its counter
 * @session: being welcomed
 * @welcome: its addresses and keys are filled in
 *
 * Only now: who is not welcome gets no key.  Return: 0 or -errno.
 */
int beat_register(struct session *session, struct message_welcome *welcome);

/* beat_deregister() - its queue pairs are gone.  Context: worker. */
void beat_deregister(struct session *session);

/* beat_heard() - has the client's counter moved since this was asked last? */
bool beat_heard(struct session *session);

#endif /* BEAT_H */
