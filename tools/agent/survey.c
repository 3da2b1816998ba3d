// SPDX-License-Identifier: GPL-2.0
/* survey.c - reads the directory, folder by folder. */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "directory.h"
#include "sets.h"
#include "survey.h"

#define SURVEY_VERSION	1
#define GROUP_MAX	(256u << 10)

struct survey {
	struct etcd *etcd;
	struct etcd_call *call;
	unsigned int what;
	size_t at;	/* of the folders */
	json_t *servers;	/* by UUID */
	json_t *sets;
	json_t *groups;
	char *trouble;	/* with groups, while servers could be read */
	survey_done_fn done;
	void *data;
};

/* What is known alone: a node writes what it likes to its own keys. */
static void survey_add_server(void *data, const char *uuid, const char *value)
{
	struct survey *survey = data;
	struct directory_server server;

	if (directory_server_read(&server, uuid, value)) {
		json_t *row = directory_server_json(&server);

		json_object_set_new(row, "uuid", json_string(uuid));
		json_object_set_new(survey->servers, uuid, row);
	}
	directory_server_free(&server);
}

static void survey_add_load(void *data, const char *uuid, const char *value)
{
	struct survey *survey = data;
	json_t *row = json_object_get(survey->servers, uuid), *fields;
	struct directory_load load;

	if (!row || !directory_load_read(&load, value))
		return;
	fields = directory_load_json(&load);
	json_object_update(row, fields);
	json_decref(fields);
}

static void survey_add_sets(void *data, const char *key, const char *value)
{
	struct survey *survey = data;
	unsigned int permutation;
	struct sets sets;
	size_t i, k;

	if (strcmp(key, SETS_KEY))
		return;
	if (sets_read(&sets, value))
		for (permutation = 0; permutation < PLACEMENT_PERMUTATIONS; permutation++)
			for (i = 0; i < sets.sets[permutation]; i++) {
				const struct placement_set *set = &sets.set[permutation][i];
				json_t *words = json_array();

				for (k = 0; k < set->count; k++)
					json_array_append_new(words, json_string(sets.uuid[set->server[k]]));
				json_array_append_new(survey->sets, words);
			}
	sets_free(&sets);
}

/* "NODE/NAME".  A node that writes more than any group needs spoils nothing for the others. */
static void survey_add_group(void *data, const char *key, const char *value)
{
	struct survey *survey = data;
	const char *name = text_visible(key) ? strchr(key, '/') : NULL;
	json_t *group = name && strlen(value) <= GROUP_MAX ? json_loads(value, 0, NULL) : NULL;

	if (!json_is_object(group)) {
		json_decref(group);
		return;
	}
	json_object_set_new(group, "node", json_stringn(key, name - key));
	json_object_set_new(group, "name", json_string(name + 1));
	if (!(survey->what & SURVEY_CHUNKS))
		json_object_del(group, "chunks");
	json_array_append_new(survey->groups, group);
}

/* In this order: a load belongs to a server. */
static const struct {
	unsigned int what;
	const char *prefix;	/* of its keys */
	const char *folder;	/* the part of them that is left out */
	void (*add)(void *data, const char *key, const char *value);
} survey_folders[] = {
	{ SURVEY_SERVERS, DIRECTORY_SERVERS, DIRECTORY_SERVERS, survey_add_server },
	{ SURVEY_SERVERS, DIRECTORY_LOAD, DIRECTORY_LOAD, survey_add_load },
	{ SURVEY_SERVERS, DIRECTORY SETS_KEY, DIRECTORY, survey_add_sets },
	{ SURVEY_GROUPS, DIRECTORY_STATUS, DIRECTORY_STATUS, survey_add_group },
};

#define SURVEY_FOLDERS (sizeof(survey_folders) / sizeof(*survey_folders))

static json_t *survey_all(struct survey *survey)
{
	json_t *all = checked(json_pack("{s:i}", "version", SURVEY_VERSION)), *list = json_array(), *row;
	const char *uuid;

	json_object_foreach(survey->servers, uuid, row)
		json_array_append(list, row);
	if (survey->what & SURVEY_SERVERS) {
		json_object_set(all, "servers", list);
		json_object_set(all, "sets", survey->sets);
	}
	if (survey->what & SURVEY_GROUPS)
		json_object_set(all, "groups", survey->groups);
	if (survey->trouble)
		json_object_set_new(all, "trouble", json_string(survey->trouble));
	json_decref(list);
	return all;
}

static void survey_end(struct survey *survey, const char *error)
{
	json_t *all = error ? NULL : survey_all(survey);
	survey_done_fn done = survey->done;
	void *data = survey->data;

	survey_cancel(survey);
	done(data, all, error);
	json_decref(all);
}

static void survey_next(struct survey *survey);

static void survey_answered(void *data, const json_t *answer, const char *error)
{
	struct survey *survey = data;

	survey->call = NULL;
	if (!answer && (survey_folders[survey->at].what != SURVEY_GROUPS || !(survey->what & SURVEY_SERVERS))) {
		survey_end(survey, error);
		return;
	}
	if (!answer)
		survey->trouble = text_format("groups: %s", error);
	etcd_each(answer, survey_folders[survey->at].folder, survey_folders[survey->at].add, survey);
	survey->at++;
	survey_next(survey);
}

static void survey_next(struct survey *survey)
{
	while (survey->at < SURVEY_FOLDERS && !(survey->what & survey_folders[survey->at].what))
		survey->at++;
	if (survey->at == SURVEY_FOLDERS)
		survey_end(survey, NULL);
	else
		survey->call = checked(etcd_call(survey->etcd, "kv/range",
						 checked(etcd_range(survey_folders[survey->at].prefix)),
						 survey_answered, survey));
}

struct survey *survey_begin(struct etcd *etcd, unsigned int what, survey_done_fn done, void *data)
{
	struct survey *survey = checked(calloc(1, sizeof(*survey)));

	*survey = (struct survey){
		.etcd = etcd, .what = what, .servers = checked(json_object()), .sets = checked(json_array()),
		.groups = checked(json_array()), .done = done, .data = data,
	};
	survey_next(survey);
	return survey;
}

void survey_cancel(struct survey *survey)
{
	if (!survey)
		return;
	etcd_cancel(survey->call);
	json_decref(survey->servers);
	json_decref(survey->sets);
	json_decref(survey->groups);
	free(survey->trouble);
	free(survey);
}
