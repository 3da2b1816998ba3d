// SPDX-License-Identifier: GPL-2.0
#include "cli.h"

#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "control-socket.h"
#include "progress.h"

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

/** control_reach() - 0 if a farmemd listens at @path, or a negative errno */
int control_reach(const char *path)
{
	int fd = control_socket_open(path, TIMEOUT);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
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
	fd = control_socket_open(path, TIMEOUT);
	if (fd < 0) {
		explain_connect(path, -fd);
		return NULL;
	}
	progress_begin("waiting for farmemd's answer, %d s at most", TIMEOUT);
	line = control_socket_ask(fd, text);
	progress_end();
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
