/* SPDX-License-Identifier: GPL-2.0 */
/* premap.h - a pool that was kept is mapped before it is used */
#ifndef PREMAP_H
#define PREMAP_H

#include <stdbool.h>

struct pool;
struct premap;

/**
 * premap_start() - map the pages of a pool that was kept, in the background
 * @pool: kept; stays until premap_stop()
 *
 * The pages are memory already: until they are mapped, the first use of each takes longer.
 * No byte of them is changed.
 *
 * Return: what premap_stop() takes, or NULL: without a thread it is done as it is used.
 */
struct premap *premap_start(const struct pool *pool);

/* premap_is_over() - it maps nothing any more.  @premap: NULL: nothing did.  Context: any thread. */
bool premap_is_over(const struct premap *premap);
void premap_stop(struct premap *premap);

#endif /* PREMAP_H */
