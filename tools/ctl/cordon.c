// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <jansson.h>
#include <stdio.h>

#include "attr.h"
#include "cli.h"
#include "progress.h"
#include "report.h"
#include "size.h"

#define LOOK_SECONDS	2

static json_int_t number(const json_t *status, const char *field)
{
	return json_integer_value(json_object_get(status, field));
}

/* The server holds that much for clients; what is quarantined is a client's as well. */
static json_int_t held_for_clients(const json_t *status)
{
	return number(status, "lent") + number(status, "quarantined");
}

static int tell(const struct cli_args *args, const json_t *answer, const char *words)
{
	CLEANUP_FREE char *size = size_format(number(answer, "lent"));

	if (!server_print_json(args, answer, "lent"))
		printf("%s; clients have %s\n", words, number(answer, "lent") ? size : "nothing of it");
	return RC_OK;
}

static int set_cordon(const struct cli_args *args, const char *verb, const char *words)
{
	json_t *answer = server_ask(args, verb);
	int rc = answer && words ? tell(args, answer, words) : answer ? RC_OK : RC_FAILURE;

	json_decref(answer);
	return rc;
}

/** server_cordon() - farmemctl server cordon */
int server_cordon(const struct cli_args *args)
{
	return set_cordon(args, "cordon", "This server lends nothing more");
}

/** server_uncordon() - farmemctl server uncordon */
int server_uncordon(const struct cli_args *args)
{
	return set_cordon(args, "uncordon", "This server lends again");
}

/* A line for each client that has to move something, on standard error. */
static void tell_clients(const struct cli_args *args)
{
	json_t *clients = server_ask(args, "clients"), *client;
	size_t i;

	json_array_foreach(json_object_get(clients, "clients"), i, client) {
		json_int_t bytes = number(client, "bytes") + number(client, "quarantined");
		const char *name = json_string_value(json_object_get(client, "name"));
		CLEANUP_FREE char *size = size_format(bytes);

		if (bytes)
			fprintf(stderr, "  client %s has %s%s\n", name ? name : "?", size,
				json_is_true(json_object_get(client, "connected")) ? "" : ", and is not connected");
	}
	json_decref(clients);
}

/* Another farmemd has come meanwhile, or another administrator. */
static bool lends_again(const json_t *status)
{
	if (json_is_true(json_object_get(status, "cordoned")))
		return false;
	fail("this server lends again: farmemd was started anew, or uncordoned");
	next_step("farmemctl server drain");
	return true;
}

/* The server's status when no client has memory, to json_decref(); NULL: it did not come to that. */
static json_t *wait_drained(const struct cli_args *args, long end)
{
	for (;;) {
		json_t *status = server_ask(args, "status");
		CLEANUP_FREE char *size = size_format(held_for_clients(status));
		bool goes_on = end < 0 || clock_ms() < end;

		bool lends = status && lends_again(status);

		if (!status || (!lends && !held_for_clients(status)))
			return status;
		json_decref(status);
		if (lends)
			return NULL;
		progress_begin("clients have %s", size);
		goes_on = goes_on && stop_wait(-1, LOOK_SECONDS);
		progress_end();
		if (goes_on)
			continue;
		fail("%s: clients have memory of this server, which lends nothing more",
		     stop_requested() ? "interrupted" : "the time is over");
		next_step("on their nodes: systemctl status farmem-groups, or farmemctl volume delete NAME");
		next_step("farmemctl server uncordon    (it asks no more, and lends again)");
		return NULL;
	}
}

/** server_drain() - farmemctl server drain [--timeout SECONDS] */
int server_drain(const struct cli_args *args)
{
	double seconds = 0;
	int rc = args->value[OPT_WAIT] ? cli_number(args, OPT_WAIT, 0, 86400 * 365.0, &seconds) : RC_OK;
	json_t *status;

	if (rc)
		return rc;
	stop_catch();
	stop_block();
	if (set_cordon(args, "drain", NULL))
		return RC_FAILURE;
	tell_clients(args);
	status = wait_drained(args, args->value[OPT_WAIT] ? clock_ms() + (long)(seconds * 1000) : -1);
	rc = status ? tell(args, status, "This server is safe to stop") : RC_FAILURE;
	json_decref(status);
	return rc;
}
