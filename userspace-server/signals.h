/* SPDX-License-Identifier: GPL-2.0 */
/* signals.h - what people and service managers send */
#ifndef SIGNALS_H
#define SIGNALS_H

struct server;

/**
 * signals_block() - none of them ends the process from here on
 *
 * Context: before any thread exists and before the pool is taken, which looks at
 * those that are pending.
 * Return: 0 or -errno.
 */
int signals_block(void);

/* signals_watch() - handle them in the server's event loop.  Return: 0 or -errno. */
int signals_watch(struct server *server);

#endif /* SIGNALS_H */
