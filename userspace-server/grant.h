/* SPDX-License-Identifier: GPL-2.0 */
/* grant.h - lending a volume's memory: OPEN, CLOSE and RELEASE */
#ifndef GRANT_H
#define GRANT_H

struct message;
struct server;
struct session;

/* grant_open(), grant_end() - begin to work on OPEN, on CLOSE or RELEASE */
void grant_open(struct session *session, const struct message *msg);
void grant_end(struct session *session, const struct message *msg);

/**
 * grant_abandon() - the session ends, perhaps amidst an OPEN
 * @session: dead, its queue pairs are about to be fenced
 *
 * A volume, or a part of one, that its client has not been told of goes.  The next OPEN would
 * take it for memory that holds data.
 */
void grant_abandon(struct session *session);

/* grant_send_parts() - send as many parts of the answer as the peer can take */
void grant_send_parts(struct session *session);

/* grant_resume() - go on with OPENs that waited for registrations of a dead session */
void grant_resume(struct server *server);

#endif /* GRANT_H */
