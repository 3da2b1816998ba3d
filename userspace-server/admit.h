/* SPDX-License-Identifier: GPL-2.0 */
/* admit.h - who may connect */
#ifndef ADMIT_H
#define ADMIT_H

#include "cm.h"

struct server;
struct session;

/* admit_request() - answer a connection request */
void admit_request(struct server *server, const struct cm_event *event);

/**
 * admit_hello() - answer a HELLO, now or after a probe
 * @session: new; its name is said, and its key proved as far as one is wanted
 *
 * Context: the session, or an earlier one of its client, may be closed when this
 * returns.
 */
void admit_hello(struct session *session);

/* admit_held() - what was in the way of @session is gone: answer its HELLO */
void admit_held(struct session *session);

/* admit_refuse_held() - @session lives: refuse whoever waits for its identity */
void admit_refuse_held(struct session *session);

/* admit_forget() - @session ends: it waits for nobody any more */
void admit_forget(struct session *session);

#endif /* ADMIT_H */
