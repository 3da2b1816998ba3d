/* SPDX-License-Identifier: GPL-2.0 */
/* groups.h - the groups of a node in the directory */
#ifndef AGENT_GROUPS_H
#define AGENT_GROUPS_H

#include <systemd/sd-event.h>

#include "etcd.h"

struct groups;

/**
 * groups_open() - begin to publish what the groups of this node are like
 * @event: the loop
 * @etcd: where
 * @node: name of this node in the directory; is kept
 * @ttl: seconds after which etcd forgets them if this node is gone
 *
 * It reads what "farmemctl group watch" writes.
 *
 * Return: the groups; NULL without memory.
 */
struct groups *groups_open(sd_event *event, struct etcd *etcd, const char *node, unsigned int ttl);

/* groups_close() - end it; etcd forgets them when their time is over; NULL is fine */
void groups_close(struct groups *groups);

/* groups_lease() - of their keys; 0: there is none */
int64_t groups_lease(const struct groups *groups);

#endif /* AGENT_GROUPS_H */
