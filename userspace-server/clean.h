/* SPDX-License-Identifier: GPL-2.0 */
/* clean.h - free slabs, in the background: zeroed, or given back to the machine */
#ifndef CLEAN_H
#define CLEAN_H

struct server;

/**
 * clean_kick() - there may be something to do: begin a bounded step of it
 * @server: whose slabs are looked at; nothing is done if a step is under way
 *
 * So many slabs go back as server->headroom.give says, and as an OPEN that failed had made
 * ready; dirty ones are zeroed, and up to the pool's floor absent ones with them.
 *
 * Context: event loop.  Call it after slabs have become dirty.
 */
void clean_kick(struct server *server);

/* Slabs that one step zeroes: 64 MiB worth, at least one. */
unsigned int clean_step(const struct server *server);

#endif /* CLEAN_H */
