// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KERNEL_GROUP	1		/* 2 is udevd's, which may not run */
#define RECEIVE_BUFFER	(1 << 20)	/* a storm must not cost events */

/** uevent_open() - a socket for the kernel's uevents, to close, or a negative errno */
int uevent_open(void)
{
	struct sockaddr_nl address = {
		.nl_family = AF_NETLINK,
		.nl_groups = KERNEL_GROUP,
	};
	int size = RECEIVE_BUFFER;
	int fd;

	fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	if (fd < 0)
		return -errno;
	/* Beyond the limit only for root; without it the default has to do. */
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address))) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

/** uevent_receive() - 1 for a message of the kernel, 0 for none, or a negative errno */
int uevent_receive(int fd, struct uevent *event)
{
	struct sockaddr_nl sender = { 0 };
	struct iovec part = { event->text, UEVENT_MAX };
	struct msghdr header = {
		.msg_name = &sender,
		.msg_namelen = sizeof(sender),
		.msg_iov = &part,
		.msg_iovlen = 1,
	};
	ssize_t got = recvmsg(fd, &header, MSG_DONTWAIT);

	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	/* Any process may send to the group; only the kernel has port 0. */
	if (sender.nl_pid)
		return 0;
	event->text[got] = '\0';
	event->length = got;
	return 1;
}

/** uevent_get() - the value of @key in the message, NULL if it has none */
const char *uevent_get(const struct uevent *event, const char *key)
{
	size_t length = strlen(key);
	size_t at;

	for (at = 0; at < event->length; at += strlen(event->text + at) + 1)
		if (!strncmp(event->text + at, key, length) && event->text[at + length] == '=')
			return event->text + at + length + 1;
	return NULL;
}
