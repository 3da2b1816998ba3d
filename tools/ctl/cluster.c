// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report.h"

static char *get_field(const void *row, const struct column *column)
{
	return server_value(json_object_get(row, column->name));
}

static const struct column columns[] = {
	{ "host", "name of its machine", COLUMN_TEXT, true, get_field },
	{ "domain", "what fails together with it", COLUMN_TEXT, true, get_field },
	{ "addresses", "where clients reach it", COLUMN_LIST, true, get_field },
	{ "size", "memory that it may lend", COLUMN_BYTES, true, get_field },
	{ "free", "memory that it would lend now; what changes shows here some seconds later", COLUMN_BYTES, true, get_field },
	{ "cordoned", "whether it lends nothing more", COLUMN_BOOL, true, get_field },
	{ "slab_size", "unit in which it lends memory", COLUMN_BYTES, false, get_field },
	{ "release", "release of its farmemd", COLUMN_TEXT, false, get_field },
	{ "uuid", "identity of the server", COLUMN_TEXT, false, get_field },
};

const struct table cluster_table = TABLE("servers", columns);

static int by_host(const void *a, const void *b)
{
	const char *one = json_string_value(json_object_get(*(void *const *)a, "host"));
	const char *other = json_string_value(json_object_get(*(void *const *)b, "host"));

	return strcmp(one ? one : "", other ? other : "");
}

/** cluster_servers() - farmemctl cluster servers */
int cluster_servers(const struct cli_args *args)
{
	json_t *list = agent_list(args), *server;
	struct rows rows = { 0 };
	int rc = RC_FAILURE;
	size_t i;

	json_array_foreach(json_object_get(list, "servers"), i, server)
		rows_append(&rows, server);
	if (rows.count)
		qsort(rows.row, rows.count, sizeof(*rows.row), by_host);
	if (list && !rows.count && table_empty(args, "the directory has no servers"))
		rc = next_step("systemctl start farmem-agent    (on each memory node)");
	else if (list)
		rc = table_print(args, (const void *const *)rows.row, rows.count);
	free(rows.row);
	json_decref(list);
	return rc;
}
