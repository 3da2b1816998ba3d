/* SPDX-License-Identifier: GPL-2.0 */
/* lease.h - a lease of etcd, kept as long as it is wanted */
#ifndef AGENT_LEASE_H
#define AGENT_LEASE_H

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "etcd.h"

/**
 * struct lease - keys that are put under it go with it
 * @etcd: where
 * @timer: the next renewal, or attempt
 * @call: what is under way; NULL: nothing
 * @ttl: seconds after the last renewal that it lives
 * @id: of etcd; 0: there is none
 * @asked: CLOCK_MONOTONIC microseconds of the last question
 * @dies: CLOCK_MONOTONIC microseconds: from then on it is taken for gone
 * @wanted: it is renewed, or asked for
 * @changed: is told that there is one now, or none, and why there is none; may call lease_lost()
 * @data: for @changed
 *
 * Context: event loop only.
 */
struct lease {
	struct etcd *etcd;
	sd_event_source *timer;
	struct etcd_call *call;
	unsigned int ttl;
	int64_t id;
	uint64_t asked;
	uint64_t dies;
	bool wanted;
	void (*changed)(void *data, const char *error);
	void *data;
};

/**
 * lease_open() - begin without a lease, and not wanted
 * @lease: with etcd, ttl, changed and data set, and all else 0
 * @event: the loop
 *
 * Return: 0 or a negative errno.
 */
int lease_open(struct lease *lease, sd_event *event);

/* lease_close() - forget it; etcd does so by itself later */
void lease_close(struct lease *lease);

/* lease_want() - have one from now on, or let it die */
void lease_want(struct lease *lease, bool wanted);

/* lease_lost() - etcd does not know it any more, or it is to die: another one is asked for */
void lease_lost(struct lease *lease);

#endif /* AGENT_LEASE_H */
