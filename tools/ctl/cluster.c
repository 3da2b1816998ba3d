// SPDX-License-Identifier: GPL-2.0
/* cluster.c - the cluster's directory, as tables. */
#include "commands.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "report.h"

static char *get_field(const void *row, const struct column *column)
{
	return server_value(json_object_get(row, column->name));
}

static const struct column server_columns[] = {
	{ "host", "name of its machine", COLUMN_TEXT, true, get_field },
	{ "domain", "what fails together with it", COLUMN_TEXT, true, get_field },
	{ "addresses", "where clients reach it", COLUMN_LIST, true, get_field },
	{ "size", "memory that it may lend", COLUMN_BYTES, true, get_field },
	{ "free", "memory that it would lend now; what changes shows here some seconds later", COLUMN_BYTES, true, get_field },
	{ "lent", "memory that clients have", COLUMN_BYTES, false, get_field },
	{ "wanted", "memory that it wants back, since its machine needs it", COLUMN_BYTES, true, get_field },
	{ "pressure", "percent of the last 10 s in which a program of its machine waited for memory", COLUMN_NUMBER, true, get_field },
	{ "cordoned", "whether it lends nothing more", COLUMN_BOOL, true, get_field },
	{ "slab_size", "unit in which it lends memory", COLUMN_BYTES, false, get_field },
	{ "release", "release of its farmemd", COLUMN_TEXT, false, get_field },
	{ "uuid", "identity of the server", COLUMN_TEXT, false, get_field },
};

const struct table cluster_servers_table = TABLE("servers", server_columns);

static const struct column group_columns[] = {
	{ "node", "the node that has it", COLUMN_TEXT, true, get_field },
	{ "name", "name of the group", COLUMN_TEXT, true, get_field },
	{ "size", "its capacity", COLUMN_BYTES, true, get_field },
	{ "copies", "of each byte, on different servers", COLUMN_NUMBER, true, get_field },
	{ "state", "live, copying, degraded, off, unfinished or unreadable", COLUMN_TEXT, true, get_field },
	{ "moving", "arrays that copy or compare, and how far they are", COLUMN_LIST, true, get_field },
	{ "task", "what its node does about it: repair, or move", COLUMN_TEXT, true, get_field },
	{ "use", "swap, the mount point or the device on top", COLUMN_TEXT, true, get_field },
	{ "servers", "addresses of its servers", COLUMN_LIST, false, get_field },
};

const struct table cluster_groups_table = TABLE("groups", group_columns);

/* A row of the status is the whole directory. */
static json_t *servers_of(const void *row)
{
	return json_object_get(row, "servers");
}

static json_t *groups_of(const void *row)
{
	return json_object_get(row, "groups");
}

static char *get_count(const void *row, const struct column *column)
{
	return text_format("%zu", json_array_size(json_object_get(row, column->name)));
}

static char *get_cordoned(const void *row, const struct column *column)
{
	size_t i, count = 0;
	json_t *server;

	json_array_foreach(servers_of(row), i, server)
		count += json_is_true(json_object_get(server, "cordoned"));
	return text_format("%zu", count);
}

static char *get_sum(const void *row, const struct column *column)
{
	json_int_t sum = 0;
	json_t *server;
	size_t i;

	/* A node that lies makes it wrong, and no more. */
	json_array_foreach(servers_of(row), i, server)
		if (__builtin_add_overflow(sum, json_integer_value(json_object_get(server, column->name)), &sum))
			sum = INT64_MAX;
	return text_format("%" JSON_INTEGER_FORMAT, sum);
}

/* "node/name state" of each group that is not live. */
static char *get_not_live(const void *row, const struct column *column)
{
	char *text = NULL;
	json_t *group;
	size_t i;

	json_array_foreach(groups_of(row), i, group) {
		CLEANUP_FREE char *state = server_value(json_object_get(group, "state"));
		CLEANUP_FREE char *line = text_format("%s/%s %s", json_string_value(json_object_get(group, "node")),
						      json_string_value(json_object_get(group, "name")), state ? state : "?");

		if (!state || strcmp(state, "live"))
			text_add(&text, "\n", line);
	}
	return text;
}

static const struct column status_columns[] = {
	{ "servers", "servers that there are", COLUMN_NUMBER, true, get_count },
	{ "cordoned", "of them, that lend nothing more", COLUMN_NUMBER, true, get_cordoned },
	{ "size", "memory that they may lend", COLUMN_BYTES, true, get_sum },
	{ "free", "memory that they would lend now", COLUMN_BYTES, true, get_sum },
	{ "lent", "memory that clients have", COLUMN_BYTES, true, get_sum },
	{ "wanted", "memory that they want back, since their machines need it", COLUMN_BYTES, true, get_sum },
	{ "sets", "sets of servers that share chunks", COLUMN_NUMBER, true, get_count },
	{ "groups", "groups of nodes that tell of them", COLUMN_NUMBER, true, get_count },
	{ "not_live", "of them, that are not live, and their states", COLUMN_LIST, true, get_not_live },
	{ "trouble", "why the directory could not be read to its end", COLUMN_TEXT, true, get_field },
};

const struct table cluster_status_table = TABLE("cluster", status_columns);

static int by_field(const void *a, const void *b, const char *field)
{
	const char *one = json_string_value(json_object_get(*(void *const *)a, field));
	const char *other = json_string_value(json_object_get(*(void *const *)b, field));

	return strcmp(one ? one : "", other ? other : "");
}

static int by_host(const void *a, const void *b)
{
	return by_field(a, b, "host");
}

static int by_node(const void *a, const void *b)
{
	return by_field(a, b, "node") ?: by_field(a, b, "name");
}

/* The rows of a part of the directory, or @none and what to do. */
static int cluster_list(const struct cli_args *args, const char *part, int (*order)(const void *a, const void *b),
			const char *none, const char *next)
{
	CLEANUP_FREE char *what = text_format("--%s", part);
	json_t *all = agent_list(args->value[OPT_CONFIG], what), *item;
	struct rows rows = { 0 };
	int rc = RC_FAILURE;
	size_t i;

	json_array_foreach(json_object_get(all, part), i, item)
		rows_append(&rows, item);
	if (rows.count)
		qsort(rows.row, rows.count, sizeof(*rows.row), order);
	if (all && !rows.count && table_empty(args, none))
		rc = next_step("%s", next);
	else if (all)
		rc = table_print(args, (const void *const *)rows.row, rows.count);
	free(rows.row);
	json_decref(all);
	return rc;
}

/** cluster_servers() - farmemctl cluster servers */
int cluster_servers(const struct cli_args *args)
{
	return cluster_list(args, "servers", by_host, "the directory has no servers",
			    "systemctl start farmem-agent    (on each memory node)");
}

/** cluster_groups() - farmemctl cluster groups */
int cluster_groups(const struct cli_args *args)
{
	return cluster_list(args, "groups", by_node, "the directory has no groups",
			    "node = NAME in /etc/farmem/agent.conf    (on each node with groups)");
}

/** cluster_status() - farmemctl cluster status */
int cluster_status(const struct cli_args *args)
{
	json_t *all = agent_list(args->value[OPT_CONFIG], "--all");
	const void *row = all;
	int rc = all ? table_print(args, &row, 1) : RC_FAILURE;

	json_decref(all);
	return rc;
}
