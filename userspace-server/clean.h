/* SPDX-License-Identifier: GPL-2.0 */
/* clean.h - zero free slabs in the background */
#ifndef CLEAN_H
#define CLEAN_H

struct server;

/**
 * clean_kick() - there may be dirty slabs: zero them, a bounded step at a time
 * @server: whose slabs are looked at; nothing is done if a step is under way
 *
 * Context: event loop.  Call it after slabs have become dirty.
 */
void clean_kick(struct server *server);

/* Slabs that one step of zeroing takes: 64 MiB worth, at least one. */
unsigned int clean_step(const struct server *server);

#endif /* CLEAN_H */
