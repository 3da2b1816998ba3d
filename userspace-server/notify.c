// SPDX-License-Identifier: GPL-2.0
/*
 * notify.c - what systemd hears of a farmemd that runs.
 *
 * Owns nothing.  Called by status.c and shutdown.c, from the event loop.
 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "notify.h"

static int notify_send_to(const char *path, const char *text)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t len = strlen(path);
	int fd, ret = 0;

	if (len >= sizeof(to.sun_path) || (*path != '/' && *path != '@'))
		return -EAFNOSUPPORT;
	memcpy(to.sun_path, path, len);
	/* An abstract one. */
	if (*path == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&to,
		   offsetof(struct sockaddr_un, sun_path) + len) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int notify_send(const char *format, ...)
{
	const char *path = getenv("NOTIFY_SOCKET");
	char text[256];
	va_list args;

	if (!path || !*path)
		return 0;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return notify_send_to(path, text);
}
