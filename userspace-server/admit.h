/* SPDX-License-Identifier: GPL-2.0 */
/* admit.h - who may connect */
#ifndef ADMIT_H
#define ADMIT_H

struct cm_event;
struct server;
struct session_ops;

/* admit_request() - answer a connection request */
void admit_request(struct server *server, const struct cm_event *event);

/*
 * What sessions tell: a HELLO is answered, now or after a probe, by which the session or
 * an earlier one of its client may end.
 */
extern const struct session_ops admit_ops;

#endif /* ADMIT_H */
