/* SPDX-License-Identifier: GPL-2.0 */
/*
 * order.h - in which order completions come.
 */
#ifndef VERBS_ORDER_H
#define VERBS_ORDER_H

struct session;

int order_run(struct session *session);

#endif
