// SPDX-License-Identifier: GPL-2.0
/*
 * state-file.c - what this node's groups are like, for programs that are not root.
 *
 * The watcher writes /run/farmem-groups/groups.json, and farmem-agent tells the directory of
 * it.  {"version": 1, "groups": [{...}]}: a group has the fields of "group list --json", what
 * the watcher has begun for it ("task"), and its chunks.
 */
#include "group.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"

#define STATE_VERSION	1
#define STATE_FOLDER	"/farmem-groups"
#define STATE_FILE	STATE_FOLDER "/groups.json"

/** state_file_begin() - a list of groups, for state_file_write() */
struct json_t *state_file_begin(void)
{
	return checked(json_array());
}

/**
 * state_file_add() - a group
 * @states: the list
 * @name: of the group
 * @group: its record; NULL: it can't be read
 * @task: the verb that works on it; NULL: none does
 */
void state_file_add(struct json_t *states, const char *name, const struct group *group, const char *task)
{
	json_t *state = group ? group_json(group) : json_pack("{s:s, s:s}", "name", name, "state", "unreadable");

	json_object_set_new(checked(state), "task", task ? json_string(task) : json_null());
	json_array_append_new(states, state);
}

static int state_file_put(const char *text)
{
	CLEANUP_FREE char *folder = text_format("%s" STATE_FOLDER, run_root());
	CLEANUP_FREE char *path = text_format("%s" STATE_FILE, run_root());
	CLEANUP_FREE char *new = text_format("%s.new", path);
	FILE *file;
	bool whole;

	/* Whatever the umask: the reader is another user. */
	if (!mkdir(folder, 0755))
		chmod(folder, 0755);
	file = fopen(new, "we");
	if (!file)
		return -errno;
	whole = !fchmod(fileno(file), 0644) && fputs(text, file) >= 0;
	if (!fclose(file) && whole && !rename(new, path))
		return 0;
	return -errno;
}

/**
 * state_file_write() - have the file say so, also if it does already: its time says that it is true
 * @states: is taken
 *
 * Repairs go on without it.  What is wrong is said once.
 */
void state_file_write(struct json_t *states)
{
	static int said;
	json_t *all = checked(json_pack("{s:i, s:o}", "version", STATE_VERSION, "groups", states));
	CLEANUP_FREE char *text = checked(json_dumps(all, JSON_COMPACT));
	int err = state_file_put(text);

	json_decref(all);
	if (err && err != said)
		fail("%s" STATE_FILE " can't be written: %s; farmem-agent does not know of groups", run_root(), strerror(-err));
	said = err;
}

/** state_file_remove() - nobody knows any more what they are like */
void state_file_remove(void)
{
	CLEANUP_FREE char *path = text_format("%s" STATE_FILE, run_root());

	unlink(path);
}
