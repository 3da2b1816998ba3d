// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "object.h"
#include "../ctl/commands.h"

/* A row of the groups. */
static char *get_name(const void *row, const struct column *column)
{
	const struct group *group = row;

	return text_copy(group->name);
}

static char *get_device(const void *row, const struct column *column)
{
	const struct group *group = row;
	CLEANUP_FREE char *node = lvm_node(group->name);

	return node ? lvm_device(group->name) : NULL;
}

static char *get_size(const void *row, const struct column *column)
{
	const struct group *group = row;

	return text_format("%" PRIu64, group->size);
}

static char *get_copies(const void *row, const struct column *column)
{
	const struct group *group = row;

	return text_format("%u", group->copies);
}

const char *const group_states[] = {
	[MEMBER_LIVE] = "live",
	[MEMBER_COPYING] = "copying",
	[MEMBER_DEGRADED] = "degraded",
	[MEMBER_OFF] = "off",
	"unfinished",
	NULL,
};

/** group_state() - a word of group_states: that of the pair of the device that is worst off */
const char *group_state(const struct group *group)
{
	CLEANUP_FREE char *node = lvm_node(group->name);
	enum member_state worst = node ? MEMBER_LIVE : MEMBER_OFF;
	unsigned int pair;

	if (!group->made)
		return "unfinished";
	for (pair = 0; pair < member_pairs(group) && worst < MEMBER_OFF; pair++) {
		enum member_state state = member_is_used(group, pair) ? member_state(group, pair) : MEMBER_LIVE;

		worst = state > worst ? state : worst;
	}
	return group_states[worst];
}

static char *get_state(const void *row, const struct column *column)
{
	return text_copy(group_state(row));
}

static char *get_servers(const void *row, const struct column *column)
{
	const struct group *group = row;
	char *text = NULL;
	size_t i;

	for (i = 0; i < group->server_count; i++)
		text_add(&text, "\n", group->servers[i].address);
	return text;
}

static char *get_use(const void *row, const struct column *column)
{
	const struct group *group = row;
	CLEANUP_FREE char *node = lvm_node(group->name);

	return node ? holder_find(node) : NULL;
}

/** group_moves() - does a pair copy or compare, and how much of it is done?  Not so a lone chunk */
bool group_moves(const struct group *group, unsigned int pair, unsigned int *permille)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	CLEANUP_FREE char *name = group->copies > 1 ? array_at(path) : NULL;
	struct array array = { 0 };

	if (name)
		array_read(name, &array);
	*permille = array.permille;
	return array.copying || array.checking;
}

/* "far-p1 35.2 %", a line for each pair that copies or compares. */
static char *get_moving(const void *row, const struct column *column)
{
	const struct group *group = row;
	unsigned int pair, permille;
	char *text = NULL;

	for (pair = 0; pair < member_pairs(group); pair++) {
		CLEANUP_FREE char *path = array_path(group->name, pair);
		CLEANUP_FREE char *line = NULL;

		if (!group_moves(group, pair, &permille))
			continue;
		line = text_format("%s %u.%u %%", strrchr(path, '/') + 1, permille / 10, permille % 10);
		text_add(&text, "\n", line);
	}
	return text;
}

static const struct column group_columns[] = {
	{ "name", "name of the group", COLUMN_TEXT, true, get_name },
	{ "device", "its block device", COLUMN_TEXT, true, get_device },
	{ "size", "its capacity", COLUMN_BYTES, true, get_size },
	{ "copies", "of each byte, on different servers", COLUMN_NUMBER, true, get_copies },
	{ "state", "live, copying, degraded, off or unfinished", COLUMN_TEXT, true, get_state },
	{ "servers", "addresses of the memory servers", COLUMN_LIST, false, get_servers },
	{ "moving", "arrays that copy or compare, and how far they are", COLUMN_LIST, true, get_moving },
	{ "use", "swap, the mount point or the device on top", COLUMN_TEXT, true, get_use },
};

const struct table group_table = TABLE("groups", group_columns);

/* A row of the chunks. */
struct chunk_row {
	const struct group *group;
	const struct group_chunk *chunk;
};

static char *get_volume(const void *row, const struct column *column)
{
	const struct chunk_row *r = row;

	return text_copy(r->chunk->volume);
}

static char *get_array(const void *row, const struct column *column)
{
	const struct chunk_row *r = row;

	return r->group->copies > 1 ? array_path(r->group->name, r->chunk->pair) : NULL;
}

static char *get_server(const void *row, const struct column *column)
{
	const struct chunk_row *r = row;

	return text_copy(r->chunk->server);
}

static char *get_domain(const void *row, const struct column *column)
{
	const struct chunk_row *r = row;
	const struct group_server *server = record_server(r->group, r->chunk->server);

	return server ? text_copy(server->domain) : NULL;
}

static char *get_disk(const void *row, const struct column *column)
{
	const struct chunk_row *r = row;
	CLEANUP_FREE char *disk = member_disk(r->chunk);

	return disk ? text_format("/dev/%s", disk) : NULL;
}

static char *get_chunk_size(const void *row, const struct column *column)
{
	const struct chunk_row *r = row;

	return text_format("%" PRIu64, r->chunk->size);
}

static char *get_chunk_state(const void *row, const struct column *column)
{
	const struct chunk_row *r = row;

	return text_copy(member_chunk_state(r->group, r->chunk));
}

static const struct column chunk_columns[] = {
	{ "volume", "the volume that the chunk is", COLUMN_TEXT, true, get_volume },
	{ "array", "the pair that it is in", COLUMN_TEXT, true, get_array },
	{ "server", "address of its memory server", COLUMN_TEXT, true, get_server },
	{ "domain", "what fails together with that server", COLUMN_TEXT, true, get_domain },
	{ "device", "its block device", COLUMN_TEXT, false, get_disk },
	{ "size", "its capacity", COLUMN_BYTES, true, get_chunk_size },
	{ "state", "that of the volume; if that is live: live, copying, spare, failed, unused, or lost, of which md knows nothing", COLUMN_TEXT, true, get_chunk_state },
};

const struct table chunk_table = TABLE("chunks", chunk_columns);

/** group_list() - farmemctl group list */
int group_list(const struct cli_args *args)
{
	struct rows rows = { 0 };
	int rc = RC_OK;
	size_t i;

	EACH_NAME(name, record_names()) {
		struct group *group = checked(malloc(sizeof(*group)));

		rc = record_load(*name.at, group) || rc ? RC_FAILURE : RC_OK;
		rows_append(&rows, group);
	}
	if (!rc)
		rc = table_print(args, (const void *const *)rows.row, rows.count);
	if (!rc && !rows.count && table_empty(args, "there are no groups"))
		next_step("farmemctl group create NAME --size SIZE --server ADDR --server ADDR");
	for (i = 0; i < rows.count; i++) {
		record_free(rows.row[i]);
		free(rows.row[i]);
	}
	free(rows.row);
	return rc;
}

/** group_print() - a group as "group show" has it */
int group_print(const struct cli_args *args, const struct group *group)
{
	const void *row = group;

	return table_print(args, &row, 1);
}

/* The group that is named, or the only one. */
static int load_wanted(const struct cli_args *args, struct group *group)
{
	CLEANUP_FREE char *only = NULL;
	CLEANUP_FREE char *all = NULL;
	size_t count = 0;

	*group = (struct group) { 0 };
	if (args->name)
		return record_check_name(args->title, args->name) ?: record_load(args->name, group);
	EACH_NAME(name, record_names()) {
		text_add(&all, ", ", *name.at);
		if (!count++)
			only = text_copy(*name.at);
	}
	if (count == 1)
		return record_load(only, group);
	return misuse(args->title, "NAME is missing%s%s", all ? "; give one of " : "", all ? all : "");
}

/** group_show() - farmemctl group show [NAME] */
int group_show(const struct cli_args *args)
{
	struct group group;
	int rc = load_wanted(args, &group);

	if (!rc)
		rc = group_print(args, &group);
	record_free(&group);
	return rc;
}

/** group_chunks() - farmemctl group chunks [NAME] */
int group_chunks(const struct cli_args *args)
{
	struct rows rows = { 0 };
	struct group group;
	int rc = load_wanted(args, &group);
	unsigned int pair;
	size_t i;

	for (pair = 0; !rc && pair < member_pairs(&group); pair++)
		EACH_LEG(chunk, &group, pair) {
			struct chunk_row *row = checked(malloc(sizeof(*row)));

			*row = (struct chunk_row) { &group, chunk };
			rows_append(&rows, row);
		}
	if (!rc)
		rc = table_print(args, (const void *const *)rows.row, rows.count);
	for (i = 0; i < rows.count; i++)
		free(rows.row[i]);
	free(rows.row);
	record_free(&group);
	return rc;
}

/* Columns of a row, as "group list --json" has them. */
static json_t *columns_of(const struct table *table, const char *columns, const void *row)
{
	const struct cli_command view = { .table = table };
	struct cli_args args = { .command = &view };
	json_t *rows, *first;

	args.value[OPT_OUTPUT] = columns;
	rows = table_json(&args, &row, 1);
	first = json_incref(json_array_get(rows, 0));
	json_decref(rows);
	return first;
}

/** group_json() - what a group is like, and its chunks, to json_decref() */
struct json_t *group_json(const struct group *group)
{
	json_t *all = columns_of(&group_table, "name,size,copies,state,servers,moving,use", group);
	json_t *chunks = checked(json_array());
	unsigned int pair;

	for (pair = 0; pair < member_pairs(group); pair++)
		EACH_LEG(chunk, group, pair) {
			const struct chunk_row row = { group, chunk };

			json_array_append_new(chunks, columns_of(&chunk_table, "volume,array,server,size,state", &row));
		}
	json_object_set_new(checked(all), "chunks", chunks);
	return all;
}
