/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hand.h - connecting without a connection manager.
 */
#ifndef VERBS_HAND_H
#define VERBS_HAND_H

struct session;

int hand_connect(struct session *session);

#endif
