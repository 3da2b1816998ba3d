/* SPDX-License-Identifier: GPL-2.0 */
/* listen.h - a port for HTTP */
#ifndef LISTEN_H
#define LISTEN_H

#include <sys/socket.h>

/**
 * listen_at() - listen by TCP
 * @addr: IPv4 or IPv6, with a port
 * @backlog: connections that may wait
 *
 * Return: the socket, which does not block, or a negative errno.
 */
int listen_at(const struct sockaddr *addr, int backlog);

#endif /* LISTEN_H */
