// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "size.h"

/* A row of `server list`: a volume and its client; either may be NULL. */
struct loan {
	const json_t *client;
	const json_t *volume;
};

/* A line for each string of the array. */
static char *join(const json_t *array)
{
	char *text = NULL;
	size_t i;

	for (i = 0; i < json_array_size(array); i++) {
		const char *item = json_string_value(json_array_get(array, i));

		text_add(&text, "\n", item ? item : "?");
	}
	return text ? text : text_copy("");
}

/** server_value() - a value of an answer as text, to free; NULL if it has none */
char *server_value(const json_t *value)
{
	switch (value ? json_typeof(value) : JSON_NULL) {
	case JSON_STRING:
		return text_copy(json_string_value(value));
	case JSON_INTEGER:
		return text_format("%" JSON_INTEGER_FORMAT, json_integer_value(value));
	case JSON_REAL:
		return text_format("%.0f", json_real_value(value));
	case JSON_TRUE:
		return text_copy("1");
	case JSON_FALSE:
		return text_copy("0");
	case JSON_ARRAY:
		return join(value);
	default:
		return NULL;
	}
}

static char *get_status(const void *row, const struct column *column)
{
	return server_value(json_object_get(row, column->name));
}

static const struct column status_columns[] = {
	{ "pid", "process id of farmemd", COLUMN_NUMBER, true, get_status },
	{ "release", "release of farmemd", COLUMN_TEXT, true, get_status },
	{ "version", "version of the control protocol", COLUMN_NUMBER, true, get_status },
	{ "uuid", "identity of the server; the keys of its clients are for this server alone", COLUMN_TEXT, true, get_status },
	{ "listen", "addresses that farmemd listens on", COLUMN_LIST, true, get_status },
	{ "size", "memory in the pool", COLUMN_BYTES, true, get_status },
	{ "free", "memory that is free to lend", COLUMN_BYTES, true, get_status },
	{ "lent", "memory lent to clients", COLUMN_BYTES, true, get_status },
	{ "dirty", "memory that clients gave back and that is not zeroed yet", COLUMN_BYTES, true, get_status },
	{ "quarantined", "memory that clients gave back, and that is not free yet", COLUMN_BYTES, true, get_status },
	{ "held", "memory of the pool that farmemd has now; the rest is the machine's", COLUMN_BYTES, true, get_status },
	{ "given_back", "memory of the pool that went back to the machine", COLUMN_BYTES, true, get_status },
	{ "wanted", "memory that clients are asked to give back, since this machine needs it", COLUMN_BYTES, true, get_status },
	{ "pressure", "percent of the last 10 s in which a program of this machine waited for memory", COLUMN_NUMBER, true, get_status },
	{ "slab_size", "unit in which farmemd lends memory", COLUMN_BYTES, true, get_status },
	{ "generation", "number of this memory: it changes when the pool is new", COLUMN_TEXT, true, get_status },
	{ "cordoned", "whether the server lends nothing more", COLUMN_BOOL, true, get_status },
	{ "insecure", "whether clients need no key", COLUMN_BOOL, true, get_status },
	{ "uptime_s", "seconds since farmemd started", COLUMN_NUMBER, true, get_status },
};

const struct table server_table = TABLE("server", status_columns);

/* What to do after a refusal. */
#define ASK_LIST "farmemctl server list"
#define ASK_LOG "journalctl -u farmemd"

/** server_control() - the path of the control socket, to free */
char *server_control(const struct cli_args *args)
{
	const char *given = args->value[OPT_CONTROL];

	return given ? text_copy(given) : text_format("%s" CONTROL_FILE, run_root());
}

static json_t *ask(const struct cli_args *args, const char *next, json_t *request)
{
	CLEANUP_FREE char *path = server_control(args);

	return control_ask(path, next, request);
}

/** server_ask() - the answer to a verb alone, to json_decref(); NULL after saying what failed */
json_t *server_ask(const struct cli_args *args, const char *verb)
{
	return ask(args, ASK_LOG, json_pack("{ss}", "verb", verb));
}

/** server_reach() - 0 if a farmemd listens on this node, or a negative errno */
int server_reach(const struct cli_args *args)
{
	CLEANUP_FREE char *path = server_control(args);

	return control_reach(path);
}

/** server_show() - farmemctl server show */
int server_show(const struct cli_args *args)
{
	json_t *status = server_ask(args, "status");
	const void *row = status;
	int rc;

	if (!status)
		return RC_FAILURE;
	rc = table_print(args, &row, 1);
	json_decref(status);
	return rc;
}

static char *get_of_client(const void *row, const struct column *column)
{
	return server_value(json_object_get(((const struct loan *)row)->client, column->name));
}

static char *get_of_volume(const void *row, const struct column *column)
{
	return server_value(json_object_get(((const struct loan *)row)->volume, column->name));
}

static char *get_client(const void *row, const struct column *column)
{
	const struct loan *loan = row;

	if (loan->client)
		return server_value(json_object_get(loan->client, "name"));
	return server_value(json_object_get(loan->volume, "client"));
}

static char *get_volume(const void *row, const struct column *column)
{
	return server_value(json_object_get(((const struct loan *)row)->volume, "name"));
}

static const struct column loan_columns[] = {
	{ "client", "name of the client", COLUMN_TEXT, true, get_client },
	{ "connected", "whether the client is connected", COLUMN_BOOL, true, get_of_client },
	{ "silent_since_s", "seconds since the server last heard from the client, if it is not connected", COLUMN_NUMBER, true, get_of_client },
	{ "volume", "name of the volume on the client", COLUMN_TEXT, true, get_volume },
	{ "bytes", "memory lent to the volume", COLUMN_BYTES, true, get_of_volume },
	{ "quarantined", "memory that the client gave back, and that is not free yet", COLUMN_BYTES, true, get_of_client },
	{ "wanted", "memory that the client is asked to give back", COLUMN_BYTES, true, get_of_client },
	{ "open", "whether the client has the volume open", COLUMN_BOOL, true, get_of_volume },
	{ "uuid", "identity of the volume", COLUMN_TEXT, true, get_of_volume },
	{ "regions", "memory registrations that the volume spans", COLUMN_NUMBER, false, get_of_volume },
	{ "peer", "address of the client", COLUMN_TEXT, false, get_of_client },
	{ "queues", "queue pairs of the client", COLUMN_NUMBER, false, get_of_client },
	{ "identity", "identity of the client", COLUMN_TEXT, false, get_of_client },
	{ "incarnation", "identity of this load of the client's module", COLUMN_TEXT, false, get_of_client },
	{ "lease_s", "seconds that the server keeps the memory of a silent client; 0: until released", COLUMN_NUMBER, false, get_of_client },
};

const struct table loan_table = TABLE("loans", loan_columns);

static const json_t *find_client(const json_t *clients, const char *name)
{
	size_t i;

	for (i = 0; name && i < json_array_size(clients); i++) {
		const json_t *client = json_array_get(clients, i);
		const char *its = json_string_value(json_object_get(client, "name"));

		if (its && !strcmp(its, name))
			return client;
	}
	return NULL;
}

/* A row for every volume, then one for every client that has none. */
static size_t pair(const json_t *clients, const json_t *volumes, struct loan *loans)
{
	size_t count = 0;
	size_t i, n;

	for (i = 0; i < json_array_size(volumes); i++) {
		const json_t *volume = json_array_get(volumes, i);
		const char *owner = json_string_value(json_object_get(volume, "client"));

		loans[count++] = (struct loan) { find_client(clients, owner), volume };
	}
	for (i = 0; i < json_array_size(clients); i++) {
		const json_t *client = json_array_get(clients, i);
		bool seen = false;

		for (n = 0; n < count && !seen; n++)
			seen = loans[n].client == client;
		if (!seen)
			loans[count++] = (struct loan) { client, NULL };
	}
	return count;
}

static int print_loans(const struct cli_args *args, const json_t *clients, const json_t *volumes)
{
	size_t room = json_array_size(clients) + json_array_size(volumes) + 1;
	CLEANUP_FREE struct loan *loans = checked(calloc(room, sizeof(*loans)));
	CLEANUP_FREE const void **rows = checked(calloc(room, sizeof(*rows)));
	size_t count, i;

	count = pair(clients, volumes, loans);
	for (i = 0; i < count; i++)
		rows[i] = &loans[i];
	if (!count)
		table_empty(args, "the server has lent nothing, and no client is connected");
	return table_print(args, rows, count);
}

/** server_list() - farmemctl server list */
int server_list(const struct cli_args *args)
{
	json_t *clients = server_ask(args, "clients");
	json_t *volumes = NULL;
	int rc = RC_FAILURE;

	if (clients)
		volumes = server_ask(args, "volumes");
	if (volumes)
		rc = print_loans(args, json_object_get(clients, "clients"),
				 json_object_get(volumes, "volumes"));
	json_decref(clients);
	json_decref(volumes);
	return rc;
}

/** server_print_json() - print a figure of an answer, if JSON is asked for; false: it is not */
bool server_print_json(const struct cli_args *args, const json_t *answer, const char *figure)
{
	json_t *all;

	if (!args->value[OPT_JSON])
		return false;
	all = json_pack("{si sO?}", "version", JSON_VERSION, figure,
			json_object_get(answer, figure));
	json_dumpf(all, stdout, JSON_INDENT(3));
	putchar('\n');
	json_decref(all);
	return true;
}

/** server_release() - farmemctl server release --client NAME */
int server_release(const struct cli_args *args)
{
	const char *client = args->value[OPT_HOLDER];
	const char *volume = args->value[OPT_VOLUME];
	CLEANUP_FREE char *size = NULL;
	json_t *answer;

	if (!text_visible(client) || (volume && !text_visible(volume)))
		return misuse(args->title, "give visible ASCII characters without blanks, as 'farmemctl server list' prints them");
	answer = ask(args, ASK_LIST,
		     json_pack("{ss ss ss* sb}", "verb", "release", "client", client, "volume",
			       volume, "force", !!args->value[OPT_FORCE]));
	if (!answer)
		return RC_FAILURE;
	size = size_format(json_integer_value(json_object_get(answer, "released")));
	if (!server_print_json(args, answer, "released"))
		printf("%s released: %s%s of client %s; the data is gone\n", size,
		       volume ? "volume " : "all volumes", volume ? volume : "", client);
	json_decref(answer);
	return RC_OK;
}

/** server_disconnect() - farmemctl server disconnect --client NAME */
int server_disconnect(const struct cli_args *args)
{
	const char *client = args->value[OPT_HOLDER];
	CLEANUP_FREE char *size = NULL;
	json_t *answer;

	if (!text_visible(client))
		return misuse(args->title, "give visible ASCII characters without blanks, as 'farmemctl server list' prints them");
	answer = ask(args, ASK_LIST, json_pack("{ss ss}", "verb", "disconnect", "client", client));
	if (!answer)
		return RC_FAILURE;
	size = size_format(json_integer_value(json_object_get(answer, "kept")));
	if (!server_print_json(args, answer, "kept"))
		printf("client %s disconnected; its data is kept: %s\n", client, size);
	json_decref(answer);
	return RC_OK;
}

/** server_reload() - farmemctl server reload */
int server_reload(const struct cli_args *args)
{
	json_t *answer = server_ask(args, "reload");

	if (!answer)
		return RC_FAILURE;
	printf("%s\n", json_is_true(json_object_get(answer, "keys")) ?
	       "the file of keys was read again" : "nothing to read: farmemd runs without --keys");
	json_decref(answer);
	return RC_OK;
}

/** server_stop() - farmemctl server stop */
int server_stop(const struct cli_args *args)
{
	CLEANUP_FREE char *size = NULL;
	json_int_t lost;
	json_t *answer;

	answer = ask(args, ASK_LIST,
		     json_pack("{ss sb}", "verb", "stop", "force", !!args->value[OPT_FORCE]));
	if (!answer)
		return RC_FAILURE;
	lost = json_integer_value(json_object_get(answer, "lost"));
	size = size_format(lost);
	if (!server_print_json(args, answer, "lost"))
		printf("farmemd stops; %s%s\n", lost ? size : "no data is lost",
		       lost ? " of data is gone" : "");
	json_decref(answer);
	return RC_OK;
}
