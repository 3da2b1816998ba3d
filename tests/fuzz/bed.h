/* SPDX-License-Identifier: GPL-2.0 */
/* bed.h - a farmemd without a loop, for targets that need more than a parser */
#ifndef BED_H
#define BED_H

#include "fuzz.h"
#include "server.h"

/* What clock_seconds() returns. */
extern uint64_t bed_seconds;

/**
 * bed_server() - a server whose pool has @slabs slabs of @slab_size bytes
 * @area: its superblock, super_map_bytes(@slabs) bytes
 *
 * The pool has no memory (base is NULL), the table knows all slabs as clean, and
 * no background cleaning starts until @server->clean.active is reset.
 */
void bed_server(struct server *server, void *area, uint32_t slabs, uint64_t slab_size);
void bed_server_free(struct server *server);

/**
 * bed_check() - what must hold between any two events
 *
 * The table counts right, no slab is two volumes', what is lent or reserved is
 * a volume's, and clients and volumes are within their limits.
 */
void bed_check(const struct server *server);

/* bed_check_names() - clients are well named, and are those that they say (slow to tell) */
void bed_check_names(const struct server *server);

/* bed_check_volumes() - all that @a has, @b has the same */
void bed_check_volumes(const struct server *a, const struct server *b);

/* bed_owners() - whose each slab is, NULL: nobody's; an array to be freed */
struct client **bed_owners(const struct server *server);

#endif /* BED_H */
