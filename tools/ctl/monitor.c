// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "object.h"

/* The last state of a volume: its uevents tell only the new one. */
struct known {
	struct known *next;
	char *volume;
	char *state;
};

/** monitor_time() - now, as each line has it, to free */
char *monitor_time(void)
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

static void print_change(bool json, const struct change *change)
{
	json_t *line;

	if (!json) {
		printf("%s %s %s %s -> %s\n", change->time, change->object, change->name,
		       change->old ? change->old : "-", change->new);
		return;
	}
	line = json_pack("{si ss ss ss ss* ss}", "version", JSON_VERSION, "time", change->time,
			 "object", change->object, "name", change->name,
			 "old", change->old, "new", change->new);
	/* States are words of the module; another module's may be no JSON, and is not printed. */
	if (line && !json_dumpf(line, stdout, JSON_COMPACT))
		putchar('\n');
	json_decref(line);
}

static void tell(const struct cli_args *args, const char *object, const char *given,
		 const char *old, const char *new)
{
	CLEANUP_FREE char *name = text_clean(text_copy(given));
	CLEANUP_FREE char *time = monitor_time();
	const struct change change = { object, name, old, new, time };

	print_change(args->value[OPT_JSON], &change);
	if (args->value[OPT_RUN])
		hook_run(args->value[OPT_RUN], &change);
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

static void handle(const struct uevent *event, struct known **list,
		   const struct cli_args *args)
{
	const char *state = uevent_get(event, "FARMEM_STATE");
	const char *session = uevent_get(event, "FARMEM_SESSION");
	const char *volume = uevent_get(event, "FARMEM_VOLUME");
	struct known *known;

	if (!state)
		return;
	if (session)
		tell(args, "session", session, uevent_get(event, "FARMEM_OLD_STATE"), state);
	if (!volume)
		return;
	known = remember(list, volume);
	/* The kernel also tells when only the session below has changed. */
	if (known->state && !strcmp(known->state, state))
		return;
	tell(args, "volume", volume, known->state, state);
	free(known->state);
	known->state = text_copy(state);
}

/* One message, if there is one; @gone: the module went. */
static int step(int fd, struct known **list, const struct cli_args *args, bool *gone)
{
	static struct uevent event;
	int got = uevent_receive(fd, &event);

	if (got > 0) {
		*gone = !strcmp(event.text, "remove@/module/farmem");
		handle(&event, list, args);
	}
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
	bool gone = false;
	int rc = RC_OK;
	int fd;

	if (args->value[OPT_RUN] && hook_check(args->value[OPT_RUN]))
		return RC_FAILURE;
	stop_catch();
	stop_block();
	fd = uevent_open();
	if (fd < 0) {
		fail("uevents can't be received: %s", strerror(-fd));
		return next_step("run farmemctl as root, outside a container");
	}
	/* After the socket: a change between the two is told, not missed. */
	learn_all(&known);
	if (isatty(STDERR_FILENO))
		fail("waiting for changes of state; end with Ctrl-C");
	while (!rc && !gone && stop_wait(fd, -1))
		rc = step(fd, &known, args, &gone);
	if (gone)
		fail("the farmem module is gone");
	forget_all(&known);
	close(fd);
	return rc;
}
