/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show.h - what goes wrong, on purpose.
 */
#ifndef VERBS_SHOW_H
#define VERBS_SHOW_H

struct session;

int show_fault(struct session *session);
int show_rejected(struct session *session);

#endif
