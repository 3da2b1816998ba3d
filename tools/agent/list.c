// SPDX-License-Identifier: GPL-2.0
/* list.c - reads the directory once: servers first, and then their loads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "directory.h"
#include "list.h"
#include "sets.h"

#define LIST_VERSION	1

/* A call that is waited for. */
struct waiting {
	json_t *answer;
	char *error;
	bool over;
};

static void list_answered(void *data, const json_t *answer, const char *error)
{
	struct waiting *waiting = data;

	waiting->answer = json_incref((json_t *)answer);
	waiting->error = error ? text_copy(error) : NULL;
	waiting->over = true;
}

/* All keys that begin so, to json_decref(); NULL after saying what failed. */
static json_t *list_range(sd_event *event, struct etcd *etcd, const char *prefix)
{
	struct waiting waiting = { .over = false };

	checked(etcd_call(etcd, "kv/range", checked(etcd_range(prefix)), list_answered, &waiting));
	while (!waiting.over && sd_event_run(event, UINT64_MAX) >= 0)
		;
	if (waiting.answer)
		return waiting.answer;
	fail("%s", waiting.error ? waiting.error : "the event loop failed");
	next_step("systemctl status etcd    (on that node)");
	free(waiting.error);
	return NULL;
}

/* What is known alone: a node writes what it likes to its own keys. */
static void list_add(void *data, const char *uuid, const char *value)
{
	struct directory_server server;

	if (directory_server_read(&server, uuid, value))
		json_object_set_new(data, uuid, directory_server_json(&server));
	directory_server_free(&server);
}

static void list_add_load(void *data, const char *uuid, const char *value)
{
	json_t *row = json_object_get(data, uuid), *fields;
	struct directory_load load;

	if (!row || !directory_load_read(&load, value))
		return;
	fields = directory_load_json(&load);
	json_object_update(row, fields);
	json_decref(fields);
}

/* Of all permutations, one behind the other. */
static void list_add_sets(void *data, const char *key, const char *value)
{
	unsigned int permutation;
	struct sets sets;
	size_t i, k;

	if (!strcmp(key, SETS_KEY) && sets_read(&sets, value))
		for (permutation = 0; permutation < PLACEMENT_PERMUTATIONS; permutation++)
			for (i = 0; i < sets.sets[permutation]; i++) {
				const struct placement_set *set = &sets.set[permutation][i];
				json_t *words = json_array();

				for (k = 0; k < set->count; k++)
					json_array_append_new(words, json_string(sets.uuid[set->server[k]]));
				json_array_append_new(data, words);
			}
	if (!strcmp(key, SETS_KEY))
		sets_free(&sets);
}

int list_servers(sd_event *event, struct etcd *etcd)
{
	json_t *names = list_range(event, etcd, DIRECTORY_SERVERS);
	json_t *loads = names ? list_range(event, etcd, DIRECTORY_LOAD) : NULL;
	json_t *cut = loads ? list_range(event, etcd, DIRECTORY SETS_KEY) : NULL;
	json_t *servers = checked(json_object()), *sets = checked(json_array()), *list = checked(json_array()), *row, *all;
	const char *uuid;
	int rc = cut ? RC_OK : RC_FAILURE;

	etcd_each(names, DIRECTORY_SERVERS, list_add, servers);
	etcd_each(loads, DIRECTORY_LOAD, list_add_load, servers);
	json_object_foreach(servers, uuid, row) {
		json_object_set_new(row, "uuid", json_string(uuid));
		json_array_append(list, row);
	}
	etcd_each(cut, DIRECTORY, list_add_sets, sets);
	all = checked(json_pack("{s:i, s:o, s:o}", "version", LIST_VERSION, "servers", list, "sets", sets));
	if (!rc) {
		json_dumpf(all, stdout, JSON_COMPACT);
		putchar('\n');
	}
	json_decref(all);
	json_decref(servers);
	json_decref(names);
	json_decref(loads);
	json_decref(cut);
	return rc;
}
