// SPDX-License-Identifier: GPL-2.0
#include "cli.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "attr.h"

#define CONTROL_VERSION	1
#define TIMEOUT		30	/* seconds; a release zeroes memory in steps */

static void explain_connect(const char *path, int error)
{
	if (error == ENAMETOOLONG) {
		fail("%s: this path is too long for a socket", path);
		return;
	}
	fail("%s: %s", path, strerror(error));
	switch (error) {
	case ENOENT:
	case ECONNREFUSED:
		next_step("systemctl start farmemd    (on the memory node; --control PATH if it uses another socket)");
		break;
	case EACCES:
	case EPERM:
		next_step("run farmemctl as root");
		break;
	}
}

/* The socket, to close, or a negative errno. */
static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct timeval limit = { .tv_sec = TIMEOUT };
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

/** control_reach() - 0 if a farmemd listens at @path, or a negative errno */
int control_reach(const char *path)
{
	int fd = connect_to(path);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* MSG_NOSIGNAL: when farmemd has closed the socket, a signal would end us silently. */
static int say(int fd, const char *request)
{
	CLEANUP_FREE char *line = text_format("%s\n", request);
	size_t left = strlen(line), sent;
	const char *at = line;
	ssize_t ret;

	for (sent = 0; left; left -= sent, at += sent) {
		ret = send(fd, at, left, MSG_NOSIGNAL);
		if (ret < 0)
			return -1;
		sent = ret;
	}
	return 0;
}

/* The answer's line, to free; NULL if none came, with errno 0 if farmemd closed the socket. */
static char *exchange(int fd, const char *request)
{
	FILE *stream = fdopen(fd, "r+");
	char *line = NULL;
	size_t room = 0;
	int error = 0;

	if (!stream) {
		close(fd);
		return NULL;
	}
	errno = 0;
	if (say(fd, request) || getline(&line, &room, stream) <= 0) {
		error = errno == EPIPE || errno == ECONNRESET ? 0 : errno;
		free(line);
		line = NULL;
	}
	fclose(stream);
	if (line)
		line[strcspn(line, "\n")] = '\0';
	errno = error;
	return line;
}

/* @next: what to do after a refusal */
static json_t *parse(const char *path, const char *next, const char *line)
{
	json_t *answer = json_loads(line, 0, NULL);
	const char *error = "no reason given";
	int version = 0;
	int ok = 0;

	if (json_unpack(answer, "{sb s?i s?s}", "ok", &ok, "version", &version, "error", &error)) {
		fail("%s: this answer does not come from farmemd: %.60s", path, line);
		next_step("farmemctl --version; farmemd --version    (both must be of one release)");
	} else if (!ok) {
		fail("farmemd: %s", error);
		next_step("%s", next);
	} else if (version != CONTROL_VERSION) {
		fail("%s: farmemd speaks version %d of the control protocol, this farmemctl knows %d", path,
		     version, CONTROL_VERSION);
		next_step("install both programs from one release of farmem");
	} else {
		return answer;
	}
	json_decref(answer);
	return NULL;
}

/**
 * control_ask() - ask a farmemd
 * @path: its control socket
 * @next: what to do if it refuses
 * @request: is dropped
 *
 * Return: its answer, to json_decref(); NULL after saying what failed.
 */
json_t *control_ask(const char *path, const char *next, json_t *request)
{
	CLEANUP_FREE char *text = json_dumps(request, JSON_COMPACT);
	CLEANUP_FREE char *line = NULL;
	int fd;

	json_decref(request);
	fd = connect_to(path);
	if (fd < 0) {
		explain_connect(path, -fd);
		return NULL;
	}
	line = exchange(fd, text);
	if (!line) {
		if (errno == EAGAIN)
			fail("%s: farmemd did not answer within %d seconds", path, TIMEOUT);
		else
			fail("%s: farmemd gave no answer: %s", path,
			     errno ? strerror(errno) : "it closed the connection");
		next_step("journalctl -u farmemd");
		return NULL;
	}
	return parse(path, next, line);
}
