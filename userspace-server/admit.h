/* SPDX-License-Identifier: GPL-2.0 */
/* admit.h - who may connect */
#ifndef ADMIT_H
#define ADMIT_H

#include <infiniband/verbs.h>
#include <stdbool.h>

#include "cm.h"

struct held;
struct server;
struct session;

/* admit_request() - answer a connection request, now or after a probe */
void admit_request(struct server *server, const struct cm_event *event);

/* admit_held() - the session in the way is gone: answer the held request */
void admit_held(struct server *server, struct held *held);

/* admit_refuse_held() - the session in the way lives: refuse the held request */
void admit_refuse_held(struct session *session);

/* admit_drop_held() - forget the held request, its device is going away */
void admit_drop_held(struct session *session);

/* admit_held_is_on() - did the held request come through this device? */
bool admit_held_is_on(const struct held *held, const struct ibv_context *verbs);

#endif /* ADMIT_H */
