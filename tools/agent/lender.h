/* SPDX-License-Identifier: GPL-2.0 */
/* lender.h - a memory node in the directory */
#ifndef AGENT_LENDER_H
#define AGENT_LENDER_H

#include <systemd/sd-event.h>

#include "agent-config.h"

struct lender;

/**
 * lender_open() - begin to publish what the farmemd of this node has
 * @event: the loop
 * @etcd: where
 * @config: of this node; is kept
 *
 * What it publishes goes with a lease, which is renewed only while farmemd answers.
 *
 * Return: the lender; NULL without memory.
 */
struct lender *lender_open(sd_event *event, struct etcd *etcd, const struct agent_config *config);

/* lender_close() - end it; etcd forgets the node when its time is over; NULL is fine */
void lender_close(struct lender *lender);

/* lender_lease() - of its keys; 0: there is none */
int64_t lender_lease(const struct lender *lender);

#endif /* AGENT_LENDER_H */
