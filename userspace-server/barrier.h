/* SPDX-License-Identifier: GPL-2.0 */
/* barrier.h - proof that a client reaches no memory any more that it gave up */
#ifndef BARRIER_H
#define BARRIER_H

#include <stdbool.h>
#include <stdint.h>

#include "session.h"

/**
 * barrier_heard() - the client has said a token on a queue
 * @session: live
 * @conn: of that queue
 * @token: as it said it
 *
 * The caller posts the receive again that this took.
 *
 * Return: false: it was not asked for that, or has said it there before.
 */
bool barrier_heard(struct session *session, struct conn *conn, uint32_t token);

/* barrier_look() - ask the clients that have given memory up; each second */
void barrier_look(struct server *server);

#endif /* BARRIER_H */
