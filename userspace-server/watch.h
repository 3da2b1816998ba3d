/* SPDX-License-Identifier: GPL-2.0 */
/* watch.h - devices and listeners: what they tell, and whether they are still there */
#ifndef WATCH_H
#define WATCH_H

struct server;
struct server_ops;

/* For struct server, before its listeners are opened. */
extern const struct server_ops watch_ops;

/* watch_start() - look every second for devices that are gone.  Return: 0 or -errno. */
int watch_start(struct server *server);

#endif /* WATCH_H */
