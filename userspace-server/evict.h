/* SPDX-License-Identifier: GPL-2.0 */
/* evict.h - which clients are asked to give memory back, and how much */
#ifndef EVICT_H
#define EVICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct server;

/**
 * struct evict_share - of one client
 * @held: slabs that it has
 * @weight: 1 or more
 * @heedless: it was asked long ago, and keeps what it has
 * @ask: the outcome: slabs that it is asked for
 */
struct evict_share {
	uint32_t held;
	unsigned int weight;
	bool heedless;
	uint32_t ask;
};

/**
 * evict_plan() - share out what is wanted
 * @share: of each client
 * @count: of these
 * @want: slabs
 * @step: slabs that are asked of one client before another one is looked for, at least 1
 *
 * The client that has most for its weight is asked first.  A client gives back whole
 * volumes, so a little is asked of one client, not of all.  What is asked of heedless ones is
 * asked of others too.
 */
void evict_plan(struct evict_share *share, size_t count, uint32_t want, uint32_t step);

/**
 * evict_look() - ask the clients for what the machine lacks, and tell them so
 * @server: whose headroom was looked at; each second
 *
 * Those of a drained server are asked for all that they have, a step at a time: what the
 * machine needs, and repairs, have their turn in between.
 * What a client does not give back stays its own.
 */
void evict_look(struct server *server);

#endif /* EVICT_H */
