/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - what rdma_cm reports.
 */
#ifndef VERBS_EVENT_H
#define VERBS_EVENT_H

#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

struct session;

bool event_is_failure(enum rdma_cm_event_type event);
struct rdma_cm_event *event_next(struct session *session, uint64_t end, bool *late);
void event_give_up(struct session *session, struct rdma_cm_event *event);
void event_pass_over(struct rdma_cm_event *event);
void event_reject(struct rdma_cm_id *id);
int event_too_late(enum rdma_cm_event_type wanted, unsigned int seconds);

#endif
