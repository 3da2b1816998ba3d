/* SPDX-License-Identifier: GPL-2.0 */
/*
 * wait.h - completions: looked for without pause, or slept for.
 */
#ifndef VERBS_WAIT_H
#define VERBS_WAIT_H

#include <stdbool.h>

struct queue;
struct session;

void wait_begin(struct session *session);
int wait_step(struct session *session);
int wait_done(struct session *session, struct queue *queue);
bool wait_heard(const struct session *session);

#endif
