// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
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
/* Delays from one try to reach servers that were away to the next: some never come back. */
#define ORPHAN_DELAYS	10
/* Until a heartbeat tells what a server wants once memory has gone back to it. */
#define SETTLE_SECONDS	15
/* systemd gives both 60. */
#define END_SECONDS	25

enum condition {
	OFF,
	WHOLE,
	WANTS_REPAIR,
	HAS_ORPHANS,
	UNREADABLE,
};

/* What is done about a condition: a farmemctl of its own, since it holds a lock as long as it lives. */
enum task_kind {
	REPAIR,
	GIVE_BACK,
	TASKS,
};

static const struct {
	const char *verb;
	const char *option;
} tasks[TASKS] = {
	[REPAIR] = { "repair", NULL },
	[GIVE_BACK] = { "move", "--wanted" },
};

/* A group, as it was when this process looked last. */
struct watched {
	char *name;
	enum condition condition;
	bool asked;		/* by servers that want memory back */
	long next_ms;		/* when it is repaired, if it wants that */
	long leave_ms;		/* when chunks leave such servers; a repair of other pairs would be long */
	struct watched *next;
};

/**
 * struct watcher - what this process knows
 * @groups: that it has seen
 * @delay: seconds before a repair
 * @settled_ms: until then what servers want may be what they have got
 * @task: of each kind the one that runs, so that a repair does not wait for another group's moves
 * @pid: its process; 0: none runs
 * @name: its group's name, to free
 */
struct watcher {
	struct watched *groups;
	double delay;
	long settled_ms;
	struct task {
		pid_t pid;
		char *name;
	} task[TASKS];
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

/* When something is done about a condition that has just begun, or a repair that was in vain. */
static long due(double delay, enum condition condition)
{
	return next_try(condition == HAS_ORPHANS ? delay * ORPHAN_DELAYS : delay);
}

static bool is_asked(const struct group *group)
{
	double within;

	EACH_CHUNK(chunk, group)
		if (chunk->current && lender_wanted(chunk->server, &within))
			return true;
	return false;
}

static enum condition condition_of(const struct group *group)
{
	CLEANUP_FREE char *node = lvm_node(group->name);

	if (!group->made || !node)
		return OFF;
	if (repair_is_needed(group))
		return WANTS_REPAIR;
	return group->orphan_count ? HAS_ORPHANS : WHOLE;
}

/* The verb that works on a group; NULL: none does. */
static const char *task_of(const struct watcher *watcher, const char *name)
{
	enum task_kind kind;

	for (kind = 0; kind < TASKS; kind++)
		if (watcher->task[kind].pid && !strcmp(watcher->task[kind].name, name))
			return tasks[kind].verb;
	return NULL;
}

static void task_start(struct watcher *watcher, enum task_kind kind, struct watched *group)
{
	CLEANUP_FREE char *folder = command_folder();
	CLEANUP_FREE char *program = text_format("%s/farmemctl", folder);
	char *const argv[] = { program, "group", (char *)tasks[kind].verb, group->name, (char *)tasks[kind].option, NULL };
	pid_t pid = command_start(argv, 0);

	*(kind == REPAIR ? &group->next_ms : &group->leave_ms) = next_try(watcher->delay);
	if (pid > 0)
		watcher->task[kind] = (struct task){ pid, text_copy(group->name) };
	else
		fail("group %s: %s can't be started: %s", group->name, program, strerror(errno));
}

static struct watched *find(const struct watcher *watcher, const char *name)
{
	struct watched *group = watcher->groups;

	while (group && strcmp(group->name, name))
		group = group->next;
	return group;
}

/* If it failed, as where no server has room, it is tried again after the delay. */
static void task_ended(struct watcher *watcher, enum task_kind kind, bool failed)
{
	struct task *task = &watcher->task[kind];
	struct watched *group = find(watcher, task->name);

	if (group && kind == REPAIR)
		group->next_ms = due(watcher->delay, group->condition);
	else if (group)
		group->leave_ms = failed ? next_try(watcher->delay) : 0;
	if (kind == GIVE_BACK)
		watcher->settled_ms = clock_ms() + SETTLE_SECONDS * 1000;
	free(task->name);
	*task = (struct task){ 0 };
}

static void tasks_reap(struct watcher *watcher)
{
	enum task_kind kind;
	int status;

	for (kind = 0; kind < TASKS; kind++) {
		pid_t pid = watcher->task[kind].pid;

		if (pid && waitpid(pid, &status, WNOHANG) == pid)
			task_ended(watcher, kind, status);
	}
}

/* What they have begun is gone on with by the next repair. */
static void tasks_end(struct watcher *watcher)
{
	enum task_kind kind;

	for (kind = 0; kind < TASKS; kind++)
		if (watcher->task[kind].pid) {
			command_end(watcher->task[kind].pid, END_SECONDS);
			free(watcher->task[kind].name);
		}
}

/* One that is new is as it should be, until it is seen to be otherwise. */
static struct watched *obtain(struct watcher *watcher, const char *name, enum condition condition)
{
	struct watched *group = find(watcher, name);

	if (group)
		return group;
	group = checked(malloc(sizeof(*group)));
	*group = (struct watched){ .name = text_copy(name), .condition = condition == WHOLE ? WHOLE : OFF, .next = watcher->groups };
	return watcher->groups = group;
}

static void tell(const struct watched *group)
{
	long left;

	switch (group->condition) {
	case OFF:
		printf("Group %s: off\n", group->name);
		break;
	case WHOLE:
		printf("Group %s: live\n", group->name);
		break;
	case WANTS_REPAIR:
		left = group->next_ms - clock_ms();
		printf("Group %s: it needs a repair, in %ld s\n", group->name, left > 0 ? (left + 999) / 1000 : 0);
		break;
	case HAS_ORPHANS:
		printf("Group %s: live; servers that were away may hold memory for it\n", group->name);
		break;
	case UNREADABLE:
		printf("Group %s: its record can't be read, see farmemctl group show %s\n", group->name, group->name);
		break;
	}
}

/* When nothing of that kind runs, and it is time. */
static void act(struct watcher *watcher, struct watched *group)
{
	long now = clock_ms();

	/* A scrub may take hours, and other groups would wait for the one that waits for it. */
	if (lock_is_taken("groups", group->name))
		return;
	if (group->asked && !watcher->task[GIVE_BACK].pid && now >= group->leave_ms && now >= watcher->settled_ms) {
		printf("Group %s: chunks leave servers that want memory back\n", group->name);
		task_start(watcher, GIVE_BACK, group);
	} else if ((group->condition == WANTS_REPAIR || group->condition == HAS_ORPHANS) &&
		   !watcher->task[REPAIR].pid && now >= group->next_ms) {
		printf("Group %s: repair\n", group->name);
		task_start(watcher, REPAIR, group);
	}
}

/* Of a group that a task works on nothing is to be concluded. */
static void judge(struct watcher *watcher, const char *name, enum condition condition, bool asked)
{
	struct watched *group = obtain(watcher, name, condition);

	if (task_of(watcher, name))
		return;
	if (condition != group->condition) {
		group->condition = condition;
		group->next_ms = due(watcher->delay, condition);
		tell(group);
	} else if (group->asked && !asked) {
		tell(group);
	}
	if (asked && !group->asked)
		printf("Group %s: servers want memory back\n", group->name);
	group->asked = asked;
	act(watcher, group);
	fflush(stdout);
}

static void look_at(struct watcher *watcher, const char *name, struct json_t *states)
{
	enum condition condition = UNREADABLE;
	struct group group;
	bool asked = false;

	if (record_look(name, &group)) {
		condition = condition_of(&group);
		asked = condition != OFF && is_asked(&group);
	}
	/* Else it was deleted meanwhile. */
	if (condition != UNREADABLE || record_exists(name)) {
		judge(watcher, name, condition, asked);
		state_file_add(states, name, condition == UNREADABLE ? NULL : &group, task_of(watcher, name));
	}
	record_free(&group);
}

/* One that is deleted is forgotten without a word.  Return: false if there is none any more. */
static bool look_at_all(struct watcher *watcher)
{
	struct json_t *states = state_file_begin();
	char **names = record_names();
	struct watched **at = &watcher->groups;
	bool any = names && *names;
	char **name;

	tasks_reap(watcher);
	for (name = names; name && *name; name++)
		look_at(watcher, *name, states);
	while (*at) {
		for (name = names; name && *name && strcmp(*name, (*at)->name); name++)
			;
		if (name && *name)
			at = &(*at)->next;
		else
			forget(at);
	}
	name_list_free(names);
	state_file_write(states);
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
	tasks_end(&watcher);
	state_file_remove();
	while (watcher.groups)
		forget(&watcher.groups);
	return RC_OK;
}
