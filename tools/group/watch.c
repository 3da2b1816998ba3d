// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "progress.h"
#include "../ctl/commands.h"

/*
 * A server that restarts is back in a minute, and then its chunks need but what was written
 * meanwhile.  The clients of one that died do not all ask the others at the same moment.
 */
#define DELAY_SECONDS	60
#define SPREAD		0.5	/* of the delay, at random on top */
#define LOOK_SECONDS	2
#define REPAIR_SECONDS	(30 * 86400)
/* Until a heartbeat tells what a server wants once memory has gone back to it. */
#define SETTLE_SECONDS	15

enum condition {
	OFF,
	WHOLE,
	WANTS_REPAIR,
	IS_ASKED,
	UNREADABLE,
};

/* A group, as it was when this process looked last. */
struct watched {
	char *name;
	enum condition condition;
	long next_ms;		/* when it is repaired, if it wants that, or chunks move */
	struct watched *next;
};

/* What this process knows. */
struct watcher {
	struct watched *groups;
	double delay;
	long settled_ms;	/* until then what servers want may be what they have got */
};

static void forget(struct watched **at)
{
	struct watched *old = *at;

	*at = old->next;
	free(old->name);
	free(old);
}

static long next_try(double delay)
{
	double part = (double)(random() & 0xffff) / 0x10000;

	return clock_ms() + (long)(delay * 1000 * (1 + SPREAD * part));
}

static bool is_asked(const struct group *group)
{
	double within;

	EACH_CHUNK(chunk, group)
		if (chunk->current && lender_wanted(chunk->server, &within))
			return true;
	return false;
}

static enum condition condition_of(const char *name)
{
	CLEANUP_FREE char *node = lvm_node(name);
	enum condition condition = OFF;
	struct group group;

	if (!record_look(name, &group))
		condition = UNREADABLE;
	else if (group.made && node)
		condition = repair_is_needed(&group) ? WANTS_REPAIR : is_asked(&group) ? IS_ASKED : WHOLE;
	record_free(&group);
	return condition;
}

/* By a process of its own: it holds a lock as long as it lives. */
static int run(const char *verb, const char *name, const char *option)
{
	CLEANUP_FREE char *folder = command_folder();
	CLEANUP_FREE char *program = text_format("%s/farmemctl", folder);

	return command_run((char *[]){ program, "group", (char *)verb, (char *)name, (char *)option, NULL },
			   REPAIR_SECONDS, 0);
}

static void repair(struct watcher *watcher, struct watched *group)
{
	printf("Group %s: repair\n", group->name);
	run("repair", group->name, NULL);
	group->next_ms = next_try(watcher->delay);
}

/* If it fails, as where no server has room, it is tried again as a repair is. */
static void give_back(struct watcher *watcher, struct watched *group)
{
	printf("Group %s: chunks leave servers that want memory back\n", group->name);
	group->next_ms = run("move", group->name, "--wanted") ? next_try(watcher->delay) : 0;
	watcher->settled_ms = clock_ms() + SETTLE_SECONDS * 1000;
}

/* One that is new is as it should be, until it is seen to be otherwise. */
static struct watched *obtain(struct watched **list, const char *name, enum condition condition)
{
	struct watched *group;

	while (*list && strcmp((*list)->name, name))
		list = &(*list)->next;
	if (*list)
		return *list;
	group = checked(malloc(sizeof(*group)));
	*group = (struct watched) { text_copy(name), condition == WHOLE ? WHOLE : OFF, 0, NULL };
	return *list = group;
}

static void tell(const struct watched *group)
{
	switch (group->condition) {
	case OFF:
		printf("Group %s: off\n", group->name);
		break;
	case WHOLE:
		printf("Group %s: live\n", group->name);
		break;
	case WANTS_REPAIR:
		printf("Group %s: it needs a repair, in %ld s\n", group->name,
		       (group->next_ms - clock_ms() + 999) / 1000);
		break;
	case IS_ASKED:
		printf("Group %s: servers want memory back\n", group->name);
		break;
	case UNREADABLE:
		printf("Group %s: its record can't be read, see farmemctl group show %s\n", group->name, group->name);
		break;
	}
}

static void look_at(struct watcher *watcher, const char *name)
{
	enum condition condition = condition_of(name);
	struct watched *group;

	/* It was deleted meanwhile. */
	if (condition == UNREADABLE && !record_exists(name))
		return;
	group = obtain(&watcher->groups, name, condition);
	if (condition != group->condition) {
		group->condition = condition;
		group->next_ms = condition == IS_ASKED ? 0 : next_try(watcher->delay);
		tell(group);
	}
	if (clock_ms() >= group->next_ms && condition == WANTS_REPAIR)
		repair(watcher, group);
	else if (clock_ms() >= group->next_ms && condition == IS_ASKED && clock_ms() >= watcher->settled_ms)
		give_back(watcher, group);
	fflush(stdout);
}

/* One that is deleted is forgotten without a word.  Return: false if there is none any more. */
static bool look_at_all(struct watcher *watcher)
{
	char **names = record_names();
	struct watched **at = &watcher->groups;
	bool any = names && *names;
	char **name;

	for (name = names; name && *name && !stop_requested(); name++)
		look_at(watcher, *name);
	while (*at) {
		for (name = names; name && *name && strcmp(*name, (*at)->name); name++)
			;
		if (name && *name)
			at = &(*at)->next;
		else
			forget(at);
	}
	name_list_free(names);
	return any;
}

/** group_watch() - farmemctl group watch [--delay SECONDS]: it ends with the last group */
int group_watch(const struct cli_args *args)
{
	struct watcher watcher = { .delay = DELAY_SECONDS };
	int rc = RC_OK;
	bool any;

	if (args->value[OPT_DELAY])
		rc = cli_number(args, OPT_DELAY, 0, 86400, &watcher.delay);
	if (rc)
		return rc;
	/* What mends swap must not wait for it. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		fprintf(stderr, "farmemctl: the watcher's memory can't be locked: it may wait for swap that it is to repair\n");
	srandom((unsigned int)getpid() ^ (unsigned int)clock_ms());
	command_path();
	stop_catch();
	stop_block();
	any = look_at_all(&watcher);
	if (!any)
		printf("There are no groups\n");
	while (any && stop_wait(-1, LOOK_SECONDS))
		any = look_at_all(&watcher);
	while (watcher.groups)
		forget(&watcher.groups);
	return RC_OK;
}
