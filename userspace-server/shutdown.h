/* SPDX-License-Identifier: GPL-2.0 */
/* shutdown.h - the end of farmemd begins */
#ifndef SHUTDOWN_H
#define SHUTDOWN_H

struct server;

/**
 * shutdown_begin() - say goodbye, give the messages a moment to arrive, leave the loop
 * @server: stopping already: nothing happens
 * @why: for the log
 *
 * Return: 0 or -errno.
 */
int shutdown_begin(struct server *server, const char *why);

#endif /* SHUTDOWN_H */
