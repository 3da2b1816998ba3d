/* SPDX-License-Identifier: GPL-2.0 */
/* lease.h - how long the memory of a silent client is kept */
#ifndef LEASE_H
#define LEASE_H

struct client;
struct server;

/**
 * lease_begin() - a client's session is over, and fenced
 * @client: goes if it has no volumes; otherwise they are released when its lease ends
 */
void lease_begin(struct client *client);

/* lease_begin_all() - at the start, when none is connected yet */
void lease_begin_all(struct server *server);

#endif /* LEASE_H */
