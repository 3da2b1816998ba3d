// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "object.h"

/* A counter's value, now and at the report before. */
struct counter {
	uint64_t now;
	uint64_t before;
	bool known;		/* the kernel has it */
};

/* A row of the table. */
struct sample {
	char *volume;
	char *device;
	struct counter counter[COLUMNS_MAX];	/* by column */
	bool delta;
};

static size_t index_of(const struct column *column);

static char *get_volume(const void *row, const struct column *column)
{
	return text_copy(((const struct sample *)row)->volume);
}

static char *get_device(const void *row, const struct column *column)
{
	return text_format("/dev/%s", ((const struct sample *)row)->device);
}

/* A level that goes up and down: never a difference. */
static char *get_level(const void *row, const struct column *column)
{
	const struct sample *sample = row;
	const struct counter *counter = &sample->counter[index_of(column)];

	return counter->known ? text_format("%" PRIu64, counter->now) : NULL;
}

static char *get_counter(const void *row, const struct column *column)
{
	const struct sample *sample = row;
	const struct counter *counter = &sample->counter[index_of(column)];

	if (!sample->delta)
		return get_level(row, column);
	return counter->known ? text_format("%" PRIu64, counter->now - counter->before) : NULL;
}

static const struct column columns[] = {
	{ "volume", "name of the volume", COLUMN_TEXT, true, get_volume },
	{ "device", "its block device", COLUMN_TEXT, false, get_device },
	{ "reads", "reads", COLUMN_NUMBER, true, get_counter },
	{ "writes", "writes", COLUMN_NUMBER, true, get_counter },
	{ "read_bytes", "bytes read", COLUMN_BYTES, true, get_counter },
	{ "write_bytes", "bytes written", COLUMN_BYTES, true, get_counter },
	{ "discards", "discards and write-zeroes", COLUMN_NUMBER, false, get_counter },
	{ "zero_reads", "pages read without the network", COLUMN_NUMBER, true, get_counter },
	{ "zero_writes", "pages of zeros that cost no data transfer", COLUMN_NUMBER, false, get_counter },
	{ "zero_pages", "pages that are zero now", COLUMN_NUMBER, false, get_level },
	{ "slot_frees", "swap slots that the kernel freed", COLUMN_NUMBER, false, get_counter },
	{ "polled_reads", "reads finished by polling", COLUMN_NUMBER, true, get_counter },
	{ "irq_reads", "reads finished by an interrupt", COLUMN_NUMBER, true, get_counter },
	{ "shortages", "retries for a full queue or a failed mapping", COLUMN_NUMBER, true, get_counter },
	{ "read_errors", "reads that failed", COLUMN_NUMBER, true, get_counter },
	{ "write_errors", "writes that failed", COLUMN_NUMBER, true, get_counter },
	{ "lost_pages", "pages whose bytes the server has lost", COLUMN_NUMBER, false, get_level },
	{ "lost_reads", "reads that failed because the server has lost the bytes", COLUMN_NUMBER, false, get_counter },
	{ "checksum_errors", "pages that did not read as they were written", COLUMN_NUMBER, false, get_counter },
	{ "inflight", "requests under way now", COLUMN_NUMBER, true, get_level },
	{ "parked", "I/O that waits for the session to recover", COLUMN_NUMBER, true, get_level },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))
_Static_assert(COLUMNS <= COLUMNS_MAX, "a sample has room for every column");

const struct table stats_table = TABLE("stats", columns);

/** stats_kind() - COUNTER_GROWS, COUNTER_LEVEL, or COUNTER_NONE of a column of another kind */
enum counter_kind stats_kind(const struct column *column)
{
	if (column->get == get_counter)
		return COUNTER_GROWS;
	return column->get == get_level ? COUNTER_LEVEL : COUNTER_NONE;
}

/** stats_read() - such a column's value, of a disk, to free; NULL if the kernel has none */
char *stats_read(const char *device, const char *name)
{
	CLEANUP_FREE char *file = text_format("farmem/%s", name);

	return disk_attr(device, file);
}

static size_t index_of(const struct column *column)
{
	return column - columns;
}

static void sample_free(struct sample *sample)
{
	free(sample->volume);
	free(sample->device);
	free(sample);
}

static void stats_free(struct rows *report)
{
	while (report->count > 0)
		sample_free(report->row[--report->count]);
	free(report->row);
	report->row = NULL;
}

static const struct sample *find(const struct rows *report, const struct sample *like)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct sample *sample = report->row[i];

		if (!strcmp(sample->volume, like->volume) && !strcmp(sample->device, like->device))
			return sample;
	}
	return NULL;
}

static void read_counters(struct sample *sample, const struct sample *before)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++) {
		CLEANUP_FREE char *value = NULL;
		struct counter *counter = &sample->counter[i];

		if (stats_kind(&columns[i]) == COUNTER_NONE)
			continue;
		value = stats_read(sample->device, columns[i].name);
		counter->known = value && *value;
		counter->now = counter->known ? strtoull(value, NULL, 10) : 0;
		/* A smaller value is another disk of that name: count from 0. */
		if (before && before->counter[i].now <= counter->now)
			counter->before = before->counter[i].now;
	}
}

/* The volume's sample; NULL if it has no disk. */
static struct sample *take_sample(const char *volume)
{
	char *device = object_get(VOLUMES, volume, "device");
	struct sample *sample;

	if (!device || !*device) {
		free(device);
		return NULL;
	}
	sample = checked(calloc(1, sizeof(*sample)));
	sample->volume = text_copy(volume);
	sample->device = device;
	return sample;
}

/* Sample one volume, or all if @only is NULL; replaces @report. */
static void refresh(struct rows *report, const char *only, bool delta)
{
	struct rows fresh = { 0 };

	EACH_NAME(volume, object_names(VOLUMES)) {
		struct sample *sample = NULL;

		if (!only || !strcmp(only, *volume.at))
			sample = take_sample(*volume.at);
		if (!sample)
			continue;
		sample->delta = delta;
		read_counters(sample, find(report, sample));
		rows_append(&fresh, sample);
	}
	stats_free(report);
	*report = fresh;
}

static const struct report_ops stats_ops = { .refresh = refresh, .free = stats_free };

static int print(const struct cli_args *args, const struct rows *report)
{
	int rc = table_print(args, (const void *const *)report->row, report->count);

	if (!rc && !report->count)
		table_empty(args, "no volume is on");
	if (fflush(stdout))
		return fail("standard output can't be written");
	return rc;
}

/* Until told to stop, or @reports times (0: for ever). */
static int repeat(const struct cli_args *args, const char *name, double interval, double reports)
{
	const struct report_ops *ops = args->value[OPT_LATENCY] ? &latency_ops : &stats_ops;
	struct rows report = { 0 };
	double done = 0;
	int rc;

	do {
		/* Programs compute their own differences: JSON keeps totals. */
		ops->refresh(&report, name, done > 0 && !args->value[OPT_JSON]);
		rc = print(args, &report);
	} while (!rc && ++done != reports && stop_wait(-1, interval));
	ops->free(&report);
	return rc;
}

/**
 * stats_period() - what --interval and --count say
 * @interval: seconds; stays if --interval is not given
 * @reports: 0: for ever; stays if --count is not given
 *
 * Return: RC_OK or RC_USAGE.
 */
int stats_period(const struct cli_args *args, double *interval, double *reports)
{
	int rc = RC_OK;

	if (args->value[OPT_INTERVAL]) {
		rc = cli_number(args, OPT_INTERVAL, 0.1, 86400, interval);
		*reports = 0;
	}
	if (rc || !args->value[OPT_COUNT])
		return rc;
	if (!*interval)
		return misuse(args->title, "--count needs --interval");
	rc = cli_number(args, OPT_COUNT, 1, 1e9, reports);
	if (!rc && *reports != (uint64_t)*reports)
		return misuse(args->title, "--count %s: expected a whole number",
			      args->value[OPT_COUNT]);
	return rc;
}

/** stats_run() - farmemctl stats [VOLUME] */
int stats_run(const struct cli_args *args)
{
	CLEANUP_FREE char *name = NULL;
	double interval = 0;
	double reports = 1;
	int rc = stats_period(args, &interval, &reports);

	if (rc)
		return rc;
	if (module_check())
		return RC_FAILURE;
	name = args->name ? volume_named(args->name) : NULL;
	if (name && object_require(VOLUMES, name))
		return RC_FAILURE;
	stop_catch();
	stop_block();
	return repeat(args, name, interval, reports);
}
