// SPDX-License-Identifier: GPL-2.0
/*
 * top.c - what groups, volumes, sessions and clients do, interval for interval.
 */
#include "commands.h"

#include <jansson.h>
#include <stdio.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "../group/record.h"

#define INTERVAL 2	/* seconds, unless given */

static void top_free(struct rows *report)
{
	while (report->count > 0)
		top_row_free(report->row[--report->count]);
	free(report->row);
	report->row = NULL;
}

/* The server may end meanwhile; then there are no clients. */
static void add_clients(const struct cli_args *args, struct rows *report)
{
	json_t *clients = server_reach(args) ? NULL : server_ask(args, "clients");
	const json_t *list = json_object_get(clients, "clients");
	size_t i;

	for (i = 0; i < json_array_size(list); i++)
		rows_append(report, top_row_client(json_array_get(list, i)));
	json_decref(clients);
}

static void add_named(const struct cli_args *args, struct rows *report)
{
	char *const *given;

	for (given = args->names; *given; given++) {
		CLEANUP_FREE char *name = volume_named(*given);

		if (record_exists(*given))
			rows_append(report, top_row_group(*given));
		else if (object_exists(VOLUMES, name))
			rows_append(report, top_row_volume(name));
	}
}

static void add_all(const struct cli_args *args, struct rows *report)
{
	EACH_NAME(group, record_names())
		rows_append(report, top_row_group(*group.at));
	EACH_NAME(volume, object_names(VOLUMES))
		rows_append(report, top_row_volume(*volume.at));
	EACH_NAME(session, object_names(SESSIONS))
		rows_append(report, top_row_session(*session.at));
	add_clients(args, report);
}

/* Replaces @report by what is there now, @seconds later. */
static void refresh(const struct cli_args *args, struct rows *report, double seconds)
{
	struct rows fresh = { 0 };
	size_t i;

	if (args->name)
		add_named(args, &fresh);
	else
		add_all(args, &fresh);
	for (i = 0; i < fresh.count; i++)
		top_row_compare(fresh.row[i], report, seconds);
	top_free(report);
	*report = fresh;
}

/* A line of JSON for an interval. */
static int print_line(const struct cli_args *args, const struct rows *report, double seconds)
{
	json_t *rows = table_json(args, (const void *const *)report->row, report->count);
	CLEANUP_FREE char *time = monitor_time();
	json_t *line = json_pack("{si ss sf so}", "version", JSON_VERSION, "time", time,
				 "seconds", seconds, "top", rows);

	if (json_dumpf(line, stdout, JSON_COMPACT | JSON_REAL_PRECISION(4)) && !ferror(stdout))
		fail("out of memory");
	putchar('\n');
	json_decref(line);
	return RC_OK;
}

static int print(const struct cli_args *given, const struct rows *report, double seconds, bool first)
{
	struct cli_args args = *given;
	int rc;

	if (args.value[OPT_JSON]) {
		rc = print_line(&args, report, seconds);
	} else if (screen_wanted()) {
		rc = screen_show(&args, report);
	} else {
		if (first && !report->count)
			table_empty(&args, "there is no volume, session or client yet");
		if (!first)
			args.value[OPT_NOHEADINGS] = "";
		rc = table_print(&args, (const void *const *)report->row, report->count);
	}
	return fflush(stdout) ? fail("standard output can't be written") : rc;
}

/* Until told to stop, or @reports times (0: for ever), or until the module goes. */
static int repeat(const struct cli_args *args, double interval, double reports)
{
	bool loaded = module_is_loaded();
	struct rows report = { 0 };
	long now, last = clock_ms();
	double done = 0;
	int rc = RC_OK;

	refresh(args, &report, 0);
	/* A person sees at once what there is, without the rates. */
	if (screen_wanted() && !args->value[OPT_JSON])
		rc = print(args, &report, 0, true);
	while (!rc && stop_wait(-1, interval)) {
		if (loaded && !module_is_loaded()) {
			fail("the farmem module is gone");
			break;
		}
		now = clock_ms();
		refresh(args, &report, (now - last) / 1000.0);
		rc = print(args, &report, (now - last) / 1000.0, !done);
		last = now;
		if (++done == reports)
			break;
	}
	top_free(&report);
	return rc;
}

/** volume_or_group_require() - RC_OK if there is such a volume, or RC_FAILURE after saying that there is neither */
int volume_or_group_require(const char *name)
{
	if (object_exists(VOLUMES, name))
		return RC_OK;
	fail("there is no volume and no group \"%s\"", name);
	return next_step("farmemctl volume list; farmemctl group list");
}

/** top_run() - farmemctl top [NAME...] */
int top_run(const struct cli_args *args)
{
	double interval = INTERVAL;
	double reports = 0;
	char *const *given;
	int rc = stats_period(args, &interval, &reports);

	if (rc)
		return rc;
	if (!args->name && !module_is_loaded() && server_reach(args) && !record_any())
		return status_absent();
	for (given = args->names; *given; given++) {
		CLEANUP_FREE char *name = volume_named(*given);

		if (!record_exists(*given) && (module_check() || volume_or_group_require(name)))
			return RC_FAILURE;
	}
	stop_catch();
	stop_block();
	return repeat(args, interval, reports);
}
