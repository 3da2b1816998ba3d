/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cm.h - connecting by rdma_cm, the connection manager.
 */
#ifndef VERBS_CM_H
#define VERBS_CM_H

struct session;

int cm_find(struct session *session, const char *host);
int cm_listen(struct session *session);
int cm_provoke(struct session *session);
int cm_connect(struct session *session);
int cm_look(struct session *session);
void cm_disconnect(struct session *session);
void cm_close(struct session *session);

#endif
