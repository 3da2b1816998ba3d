/* SPDX-License-Identifier: GPL-2.0 */
/*
 * show.h - what goes wrong, on purpose.
 */
#ifndef VERBS_SHOW_H
#define VERBS_SHOW_H

#include <infiniband/verbs.h>
#include <stdbool.h>

struct session;

bool show_fits(unsigned int fault, enum ibv_wc_status status);
int show_fault(struct session *session);
int show_rejected(struct session *session);

#endif
