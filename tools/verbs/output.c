// SPDX-License-Identifier: GPL-2.0
#include "output.h"

#include <ctype.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "mode.h"
#include "report.h"

#define JSON_VERSION 1

enum kind { TEXT, NUMBER, BOOL };

/* Where a column is shown. */
enum { RUNS = 1, RUNS_JSON = 2, SWEEP = 4, SWEEP_JSON = 8, CREW = 16 };
#define ALL_RUNS (RUNS | RUNS_JSON)
#define ALL (ALL_RUNS | SWEEP | SWEEP_JSON)
#define JSON_ONLY (RUNS_JSON | SWEEP_JSON)

/**
 * struct column - one column
 * @name: its heading
 * @kind: of its value, for JSON and for alignment
 * @shown: where
 * @get: the value, to free; NULL: none
 * @option: instead of @get: the option of this name
 */
struct column {
	const char *name;
	enum kind kind;
	unsigned int shown;
	char *(*get)(const struct sweep_row *row);
	const char *option;
};

static char *get_option(const struct sweep_row *row, const char *name)
{
	char text[16];

	return text_copy(options_value(&row->options, options_find(name), text, sizeof(text)));
}

static bool measured(const struct sweep_row *row)
{
	return row->row.figures.operations;
}

static char *microseconds(const struct sweep_row *row, uint64_t ns)
{
	return measured(row) ? text_format("%.2f", ns / 1e3) : NULL;
}

static char *get_min(const struct sweep_row *row)
{
	return microseconds(row, row->row.figures.latency.min);
}

static char *get_p50(const struct sweep_row *row)
{
	return microseconds(row, row->row.figures.latency.p50);
}

static char *get_p99(const struct sweep_row *row)
{
	return microseconds(row, row->row.figures.latency.p99);
}

static char *get_p999(const struct sweep_row *row)
{
	return microseconds(row, row->row.figures.latency.p999);
}

static char *get_max(const struct sweep_row *row)
{
	return microseconds(row, row->row.figures.latency.max);
}

static char *get_rate(const struct sweep_row *row)
{
	const struct figures *figures = &row->row.figures;

	return measured(row) ? text_format("%.0f", figures->operations / figures->seconds) : NULL;
}

static char *get_throughput(const struct sweep_row *row)
{
	const struct figures *figures = &row->row.figures;

	if (!measured(row))
		return NULL;
	return text_format("%.2f", figures->operations / figures->seconds * row->row.size /
				   (1 << 20));
}

static char *get_process(const struct sweep_row *row)
{
	return text_format("%u", row->row.process);
}

static char *get_size(const struct sweep_row *row)
{
	return text_format("%u", measured(row) ? row->row.size : row->options.size);
}

static char *get_kind(const struct sweep_row *row)
{
	return text_copy(mode_latency(&row->options));
}

static char *get_device(const struct sweep_row *row)
{
	return measured(row) ? text_copy(row->row.device) : NULL;
}

static char *get_gid(const struct sweep_row *row)
{
	return measured(row) ? text_copy(row->row.gid) : NULL;
}

static char *get_gid_index(const struct sweep_row *row)
{
	return measured(row) ? text_format("%u", row->row.gid_index) : NULL;
}

static char *get_mtu(const struct sweep_row *row)
{
	return measured(row) ? text_format("%u", row->row.mtu) : NULL;
}

static char *get_inline_max(const struct sweep_row *row)
{
	return measured(row) ? text_format("%u", row->row.inline_max) : NULL;
}

/* Of the connection, which RC alone has. */
static char *in_force(const struct sweep_row *row, unsigned int value)
{
	if (!measured(row) || row->options.transport != TRANSPORT_RC)
		return NULL;
	return text_format("%u", value);
}

static char *get_reads(const struct sweep_row *row)
{
	return in_force(row, row->row.reads);
}

static char *get_depth(const struct sweep_row *row)
{
	return in_force(row, row->row.depth);
}

static char *get_retries(const struct sweep_row *row)
{
	return in_force(row, row->row.retries);
}

static char *get_rnr_retries(const struct sweep_row *row)
{
	return in_force(row, row->row.rnr_retries);
}

/* How many were looked at; of --verify. */
static char *get_verified(const struct sweep_row *row)
{
	if (!measured(row) || !row->options.verify)
		return NULL;
	return text_format("%llu", (unsigned long long)row->row.good);
}

static char *get_lost(const struct sweep_row *row)
{
	return measured(row) ? text_format("%llu", (unsigned long long)row->row.lost) : NULL;
}

static char *get_verdict(const struct sweep_row *row)
{
	return text_copy(row->verdict);
}

static char *get_why(const struct sweep_row *row)
{
	return *row->why ? text_copy(row->why) : NULL;
}

static const struct column columns[] = {
	{ "PROCESS", NUMBER, CREW | RUNS_JSON, get_process, NULL },
	{ "DEVICE", TEXT, JSON_ONLY, get_device, NULL },
	{ "GID_INDEX", NUMBER, JSON_ONLY, get_gid_index, NULL },
	{ "GID", TEXT, JSON_ONLY, get_gid, NULL },
	{ "MTU", NUMBER, JSON_ONLY, get_mtu, NULL },
	{ "SETUP", TEXT, ALL, NULL, "setup" },
	{ "TRANSPORT", TEXT, ALL, NULL, "transport" },
	{ "OP", TEXT, ALL, NULL, "op" },
	{ "SIZE", NUMBER, ALL, get_size, NULL },
	{ "DEPTH", NUMBER, SWEEP | JSON_ONLY, NULL, "depth" },
	{ "SIGNAL", NUMBER, SWEEP | JSON_ONLY, NULL, "signal-every" },
	{ "INLINE", BOOL, SWEEP | JSON_ONLY, NULL, "inline" },
	{ "INLINE_MAX", NUMBER, JSON_ONLY, get_inline_max, NULL },
	{ "WAIT", TEXT, SWEEP | JSON_ONLY, NULL, "wait" },
	{ "QUEUES", NUMBER, SWEEP | JSON_ONLY, NULL, "queues" },
	{ "CQ1", BOOL, SWEEP | JSON_ONLY, NULL, "shared-cq" },
	{ "SRQ", BOOL, SWEEP | JSON_ONLY, NULL, "srq" },
	{ "SGE", NUMBER, SWEEP | JSON_ONLY, NULL, "sge" },
	{ "RSGE", NUMBER, SWEEP | JSON_ONLY, NULL, "remote-sge" },
	{ "MW", BOOL, SWEEP | JSON_ONLY, NULL, "mw" },
	{ "PROCS", NUMBER, SWEEP | JSON_ONLY, NULL, "processes" },
	{ "SHARE", TEXT, SWEEP | JSON_ONLY, NULL, "share" },
	{ "RESPONDER_RESOURCES", NUMBER, JSON_ONLY, get_reads, NULL },
	{ "INITIATOR_DEPTH", NUMBER, JSON_ONLY, get_depth, NULL },
	{ "RETRY_COUNT", NUMBER, JSON_ONLY, get_retries, NULL },
	{ "RNR_RETRY", NUMBER, JSON_ONLY, get_rnr_retries, NULL },
	{ "ITERATIONS", NUMBER, ALL_RUNS, NULL, "iterations" },
	{ "LATENCY", TEXT, ALL_RUNS | SWEEP_JSON, get_kind, NULL },
	{ "MIN_US", NUMBER, ALL_RUNS | SWEEP_JSON, get_min, NULL },
	{ "P50_US", NUMBER, ALL, get_p50, NULL },
	{ "P99_US", NUMBER, ALL_RUNS | SWEEP_JSON, get_p99, NULL },
	{ "P999_US", NUMBER, ALL_RUNS | SWEEP_JSON, get_p999, NULL },
	{ "MAX_US", NUMBER, ALL_RUNS | SWEEP_JSON, get_max, NULL },
	{ "OPS_S", NUMBER, ALL, get_rate, NULL },
	{ "MIB_S", NUMBER, ALL_RUNS | SWEEP_JSON, get_throughput, NULL },
	{ "VERIFIED", NUMBER, ALL, get_verified, NULL },
	{ "LOST", NUMBER, ALL_RUNS | SWEEP_JSON, get_lost, NULL },
	{ "RESULT", TEXT, SWEEP | SWEEP_JSON, get_verdict, NULL },
	{ "WHY", TEXT, SWEEP | SWEEP_JSON, get_why, NULL },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void add_columns(struct libscols_table *table, unsigned int where)
{
	static const int types[] = {
		[TEXT] = SCOLS_JSON_STRING,
		[NUMBER] = SCOLS_JSON_NUMBER,
		[BOOL] = SCOLS_JSON_BOOLEAN,
	};
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		const struct column *column = &columns[i];
		struct libscols_column *made;

		if (!(column->shown & where))
			continue;
		made = scols_table_new_column(table, column->name, 0,
					      column->kind == TEXT ? 0 : SCOLS_FL_RIGHT);
		if (made)
			scols_column_set_json_type(made, types[column->kind]);
	}
}

static void add_row(struct libscols_table *table, const struct sweep_row *row,
		    unsigned int where)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	size_t i, n = 0;

	for (i = 0; line && i < COLUMNS; i++)
		if (columns[i].shown & where)
			scols_line_refer_data(line, n++, columns[i].get
				? columns[i].get(row) : get_option(row, columns[i].option));
}

/* A table as a JSON object, to free. */
static char *json_of(struct libscols_table *table)
{
	char *text = NULL;

	if (!scols_print_table_to_string(table, &text) && text && *text == '{' &&
	    strrchr(text, '}'))
		return text;
	free(text);
	fail("libsmartcols could not print the table");
	return NULL;
}

/*
 * The library knows no top-level fields, and one table an object: the version goes after the
 * first brace, and @also after it: fields that each have a comma behind them.  A second
 * table goes before the last brace.
 */
static int print_json(struct libscols_table *table, struct libscols_table *second,
		      const char *also)
{
	char *text = json_of(table);
	char *more = text && second ? json_of(second) : NULL;
	int rc = RC_FAILURE;

	if (text && (more || !second)) {
		*strrchr(text, '}') = '\0';
		text[strlen(text) - 1] = '\0';		/* its newline */
		printf("{\n   \"version\": %d,%s%s%s", JSON_VERSION, also, text + 1,
		       more ? "," : "\n}\n");
		if (more)
			printf("%s", more + 1);
		rc = RC_OK;
	}
	free(text);
	free(more);
	return rc;
}

static struct libscols_table *new_table(const char *name, bool json, unsigned int where)
{
	struct libscols_table *table = scols_new_table();

	if (!table)
		return NULL;
	scols_table_set_name(table, name);
	scols_table_enable_json(table, json);
	add_columns(table, where);
	return table;
}

static int print_table(struct libscols_table *table)
{
	return scols_print_table(table) ? fail("libsmartcols could not print the table") : RC_OK;
}

/* What is the same in all rows, for people. */
static void print_head(const struct row *row)
{
	printf("%s, GID index %u (%s), MTU %u", row->device, row->gid_index, row->gid, row->mtu);
	if (row->options.inline_data)
		printf(", at most %u bytes inline", row->inline_max);
	printf("\n");
}

/**
 * output_runs() - print rounds
 * @rows: the rounds
 * @count: how many, at least one
 * @json: for programs
 *
 * Return: an exit code.
 */
int output_runs(const struct row *rows, size_t count, bool json)
{
	unsigned int people = rows[0].options.processes > 1 ? RUNS | CREW : RUNS;
	unsigned int where = json ? RUNS_JSON : people;
	struct libscols_table *table = new_table("runs", json, where);
	size_t i;
	int rc;

	if (!table)
		return fail("out of memory");
	if (!json)
		print_head(&rows[0]);
	for (i = 0; i < count; i++) {
		struct sweep_row row = { .options = rows[i].options, .row = rows[i] };

		add_row(table, &row, where);
	}
	rc = json ? print_json(table, NULL, "") : print_table(table);
	scols_unref_table(table);
	return rc;
}

static struct libscols_table *apart_table(const struct apart *aparts, size_t count)
{
	static const char *const names[] = { "VALUE", "WITH", "WHY" };
	struct libscols_table *table = new_table("apart", true, 0);
	size_t i;

	for (i = 0; table && i < 3; i++)
		scols_table_new_column(table, names[i], 0, 0);
	for (i = 0; table && i < count; i++) {
		struct libscols_line *line = scols_table_new_line(table, NULL);

		if (!line)
			break;
		scols_line_set_data(line, 0, aparts[i].value);
		if (*aparts[i].with)
			scols_line_set_data(line, 1, aparts[i].with);
		scols_line_set_data(line, 2, aparts[i].why);
	}
	return table;
}

static void print_apart(const struct apart *apart)
{
	if (*apart->with)
		printf("not together: %s and %s: %s\n", apart->value, apart->with, apart->why);
	else
		printf("not at all: %s: %s\n", apart->value, apart->why);
}

/**
 * output_sweep() - print combinations
 * @rows: the combinations
 * @count: how many
 * @aparts: what cannot be combined
 * @apart_count: how many
 * @pairs: of values: what pairs_count() says of them
 * @json: for programs
 *
 * Return: an exit code.
 */
int output_sweep(const struct sweep_row *rows, size_t count, const struct apart *aparts,
		 size_t apart_count, const unsigned int pairs[3], bool json)
{
	unsigned int where = json ? SWEEP_JSON : SWEEP;
	struct libscols_table *table = new_table("sweep", json, where);
	struct libscols_table *second = json ? apart_table(aparts, apart_count) : NULL;
	char also[128];
	int rc = RC_FAILURE;
	size_t i;

	snprintf(also, sizeof(also),
		 "\n   \"pairs\": {\"untried\": %u, \"ran\": %u, \"apart\": %u},",
		 pairs[0], pairs[1], pairs[2]);
	for (i = 0; table && i < count; i++)
		add_row(table, &rows[i], where);
	if (!table || (json && !second))
		fail("out of memory");
	else
		rc = json ? print_json(table, second, also) : print_table(table);
	for (i = 0; !rc && !json && i < apart_count; i++)
		print_apart(&aparts[i]);
	scols_unref_table(table);
	scols_unref_table(second);
	return rc;
}
