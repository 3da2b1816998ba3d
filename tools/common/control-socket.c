// SPDX-License-Identifier: GPL-2.0
/*
 * control-socket.c - the client's side of farmemd's control socket.
 *
 * Owns nothing.  Called by farmemctl, and by farmemd's own thread of metrics: neither prints
 * nor ends the program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "control-socket.h"

int control_socket_open(const char *path, unsigned int seconds)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = seconds };
	int fd;

	if (strlen(path) >= sizeof(address.sun_path))
		return -ENAMETOOLONG;
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(fd, (struct sockaddr *)&address, sizeof(address))) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

/* MSG_NOSIGNAL: when farmemd has closed the socket, a signal would end us silently. */
static int control_socket_say(int fd, const char *text)
{
	size_t left = strlen(text), sent;
	ssize_t ret;

	for (sent = 0; left; left -= sent, text += sent) {
		ret = send(fd, text, left, MSG_NOSIGNAL);
		if (ret < 0)
			return -1;
		sent = ret;
	}
	return 0;
}

char *control_socket_ask(int fd, const char *request)
{
	FILE *stream = fdopen(fd, "r");
	char *text = NULL, *line = NULL;
	size_t room = 0;
	int error = 0;

	if (!stream || asprintf(&text, "%s\n", request) < 0) {
		stream ? fclose(stream) : close(fd);
		errno = ENOMEM;
		return NULL;
	}
	errno = 0;
	if (control_socket_say(fd, text) || getline(&line, &room, stream) <= 0) {
		error = errno == EPIPE || errno == ECONNRESET ? 0 : errno;
		free(line);
		line = NULL;
	}
	fclose(stream);
	free(text);
	if (line)
		line[strcspn(line, "\n")] = '\0';
	errno = error;
	return line;
}
