// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <netinet/in.h>
#include <unistd.h>

#include "listen.h"

int listen_at(const struct sockaddr *addr, int backlog)
{
	socklen_t size = addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
	int fd = socket(addr->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1, err;

	if (fd < 0)
		return -errno;
	/* Connections of a process before may linger. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, addr, size) && !listen(fd, backlog))
		return fd;
	err = -errno;
	close(fd);
	return err;
}
