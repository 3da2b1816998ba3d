// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <jansson.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "object.h"

#define KERNEL_GROUP	1		/* 2 is udevd's, which may not run */
#define UEVENT_MAX	8192		/* the kernel's is 2048 and a path */
#define RECEIVE_BUFFER	(1 << 20)	/* a storm must not cost events */

/* A message: NUL-terminated strings, the first "action@devpath". */
struct uevent {
	char text[UEVENT_MAX + 1];
	size_t length;
};

/* The last state of a volume: its uevents tell only the new one. */
struct known {
	struct known *next;
	char *volume;
	char *state;
};

/* The value of @key in the message, NULL if it has none. */
static const char *uevent_get(const struct uevent *event, const char *key)
{
	size_t length = strlen(key);
	size_t at;

	for (at = 0; at < event->length; at += strlen(event->text + at) + 1)
		if (!strncmp(event->text + at, key, length) && event->text[at + length] == '=')
			return event->text + at + length + 1;
	return NULL;
}

static int open_socket(void)
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

/* 1 for a message of the kernel, 0 for none, or a negative errno. */
static int receive(int fd, struct uevent *event)
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

static char *timestamp(void)
{
	struct timeval now;
	struct tm local;
	char text[64];
	char zone[8];

	gettimeofday(&now, NULL);
	localtime_r(&now.tv_sec, &local);
	strftime(text, sizeof(text), "%FT%T", &local);
	strftime(zone, sizeof(zone), "%z", &local);
	return text_format("%s.%03d%s", text, (int)(now.tv_usec / 1000), zone);
}

static void print_change(bool json, const char *object, const char *given,
			 const char *old, const char *new)
{
	CLEANUP_FREE char *name = text_clean(text_copy(given));
	CLEANUP_FREE char *time = timestamp();
	json_t *line;

	if (!json) {
		printf("%s %s %s %s -> %s\n", time, object, name, old ? old : "-", new);
		return;
	}
	line = json_pack("{si ss ss ss ss* ss}", "version", JSON_VERSION, "time", time,
			 "object", object, "name", name, "old", old, "new", new);
	/* States are words of the module; another module's may be no JSON, and is not printed. */
	if (line && !json_dumpf(line, stdout, JSON_COMPACT))
		putchar('\n');
	json_decref(line);
}

static struct known *remember(struct known **list, const char *volume)
{
	struct known *known;

	for (known = *list; known; known = known->next)
		if (!strcmp(known->volume, volume))
			return known;
	known = checked(calloc(1, sizeof(*known)));
	known->volume = text_copy(volume);
	known->next = *list;
	*list = known;
	return known;
}

static void learn_all(struct known **list)
{
	EACH_NAME(volume, object_names(VOLUMES))
		remember(list, *volume.at)->state = object_get(VOLUMES, *volume.at, "state");
}

static void forget_all(struct known **list)
{
	while (*list) {
		struct known *known = *list;

		*list = known->next;
		free(known->volume);
		free(known->state);
		free(known);
	}
}

static void handle(const struct uevent *event, struct known **list, bool json)
{
	const char *state = uevent_get(event, "FARMEM_STATE");
	const char *session = uevent_get(event, "FARMEM_SESSION");
	const char *volume = uevent_get(event, "FARMEM_VOLUME");
	struct known *known;

	if (!state)
		return;
	if (session)
		print_change(json, "session", session,
			     uevent_get(event, "FARMEM_OLD_STATE"), state);
	if (!volume)
		return;
	known = remember(list, volume);
	/* The kernel also tells when only the session below has changed. */
	if (known->state && !strcmp(known->state, state))
		return;
	print_change(json, "volume", volume, known->state, state);
	free(known->state);
	known->state = text_copy(state);
}

/* One message, if there is one. */
static int step(int fd, struct known **list, bool json)
{
	static struct uevent event;
	int got = receive(fd, &event);

	if (got > 0)
		handle(&event, list, json);
	if (got == -ENOBUFS) {
		fail("changes came too fast and some were lost");
		next_step("farmemctl volume list; farmemctl session list");
	} else if (got < 0) {
		return fail("uevents can't be received: %s", strerror(-got));
	}
	return fflush(stdout) ? fail("standard output can't be written") : RC_OK;
}

/** monitor_run() - farmemctl monitor */
int monitor_run(const struct cli_args *args)
{
	struct known *known = NULL;
	int rc = RC_OK;
	int fd;

	stop_catch();
	stop_block();
	fd = open_socket();
	if (fd < 0) {
		fail("uevents can't be received: %s", strerror(-fd));
		return next_step("run farmemctl as root, outside a container");
	}
	/* After the socket: a change between the two is told, not missed. */
	learn_all(&known);
	while (!rc && stop_wait(fd, -1))
		rc = step(fd, &known, args->value[OPT_JSON]);
	forget_all(&known);
	close(fd);
	return rc;
}
