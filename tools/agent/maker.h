/* SPDX-License-Identifier: GPL-2.0 */
/* maker.h - a node that keeps the cluster's sets */
#ifndef AGENT_MAKER_H
#define AGENT_MAKER_H

#include <systemd/sd-event.h>

#include "etcd.h"

struct maker;

/**
 * maker_open() - begin to keep the sets of servers that share chunks
 * @event: the loop
 * @etcd: where
 * @patience: seconds after which a server that is gone loses its place
 *
 * Several nodes may: etcd takes the sets of the first that has them, and the others go on
 * from these.
 *
 * Return: the maker; NULL without memory.
 */
struct maker *maker_open(sd_event *event, struct etcd *etcd, unsigned int patience);

/* maker_close() - end it; the sets stay; NULL is fine */
void maker_close(struct maker *maker);

#endif /* AGENT_MAKER_H */
