// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "histogram.h"
#include "object.h"

const char *const latency_kinds[] = { "read", "write", "discard", "fault", NULL };

/* A row of the table. */
struct latency {
	char *volume;
	char *device;
	char *measured;
	const char *kind;
	struct histogram total;
	struct histogram shown;		/* all, or what came since the report before */
};

static const struct latency *latency_of(const void *row)
{
	return row;
}

static char *latency_volume(const void *row, const struct column *column)
{
	return text_copy(latency_of(row)->volume);
}

static char *latency_device(const void *row, const struct column *column)
{
	return text_format("/dev/%s", latency_of(row)->device);
}

static char *latency_kind(const void *row, const struct column *column)
{
	return text_copy(latency_of(row)->kind);
}

static char *latency_measured(const void *row, const struct column *column)
{
	const char *measured = latency_of(row)->measured;

	return measured ? text_copy(measured) : NULL;
}

static char *latency_count(const void *row, const struct column *column)
{
	const struct histogram *shown = &latency_of(row)->shown;

	return shown->buckets ? text_format("%" PRIu64, histogram_total(shown)) : NULL;
}

/**
 * latency_text() - a percentile, as COLUMN_TIME has it, to free; NULL if nothing was counted
 * @permille: so many of 1000 stay below; behind ">" what the last bucket's reached
 */
char *latency_text(const struct histogram *shown, unsigned int permille)
{
	size_t bucket;

	if (!histogram_total(shown))
		return NULL;
	bucket = histogram_rank(shown, permille);
	return text_format("%s%" PRIu64, bucket + 1 == shown->buckets ? ">" : "",
			   histogram_bound(shown, bucket));
}

static char *latency_rank(const void *row, unsigned int permille)
{
	return latency_text(&latency_of(row)->shown, permille);
}

static char *latency_p50(const void *row, const struct column *column)
{
	return latency_rank(row, 500);
}

static char *latency_p90(const void *row, const struct column *column)
{
	return latency_rank(row, 900);
}

static char *latency_p99(const void *row, const struct column *column)
{
	return latency_rank(row, 990);
}

static char *latency_p999(const void *row, const struct column *column)
{
	return latency_rank(row, 999);
}

static char *latency_max(const void *row, const struct column *column)
{
	return latency_rank(row, 1000);
}

/* As JSON has it. */
static char *latency_buckets(const void *row, const struct column *column)
{
	const struct histogram *shown = &latency_of(row)->shown;
	CLEANUP_FREE char *counts = NULL;
	size_t i;

	for (i = 0; i < shown->buckets; i++) {
		CLEANUP_FREE char *count = text_format("%" PRIu64, shown->count[i]);

		text_add(&counts, ",", count);
	}
	return text_format("[%s]", counts ? counts : "");
}

static const struct column columns[] = {
	{ "volume", "name of the volume", COLUMN_TEXT, true, latency_volume },
	{ "device", "its block device", COLUMN_TEXT, false, latency_device },
	{ "kind", "read, write, discard, or fault: reads of swap that a task waits for", COLUMN_TEXT, true, latency_kind },
	{ "measured", "whether the volume is measured now", COLUMN_BOOL, true, latency_measured },
	{ "count", "requests that were measured", COLUMN_NUMBER, true, latency_count },
	{ "p50", "time that half of them stay below", COLUMN_TIME, true, latency_p50 },
	{ "p90", "90 %", COLUMN_TIME, true, latency_p90 },
	{ "p99", "99 %", COLUMN_TIME, true, latency_p99 },
	{ "p999", "99.9 %", COLUMN_TIME, true, latency_p999 },
	{ "max", "all", COLUMN_TIME, true, latency_max },
	{ "buckets", "requests below 1024 ns, 2048 ns and so on, each twice the one before", COLUMN_NUMBER, false, latency_buckets },
};

const struct table latency_table = TABLE("latency", columns);

static void latency_free(struct rows *report)
{
	while (report->count > 0) {
		struct latency *row = report->row[--report->count];

		free(row->volume);
		free(row->device);
		free(row->measured);
		free(row);
	}
	free(report->row);
	report->row = NULL;
}

static const struct latency *latency_before(const struct rows *report, const struct latency *like)
{
	size_t i;

	for (i = 0; i < report->count; i++) {
		const struct latency *row = report->row[i];

		if (row->kind == like->kind && !strcmp(row->volume, like->volume) &&
		    !strcmp(row->device, like->device))
			return row;
	}
	return NULL;
}

/** latency_read() - what a disk counted of a kind; no buckets if it does not say */
void latency_read(const char *device, const char *kind, struct histogram *histogram)
{
	CLEANUP_FREE char *file = text_format("farmem/%s_latency", kind);
	CLEANUP_FREE char *line = disk_attr(device, file);

	histogram_parse(line, histogram);
}

static void latency_append(struct rows *fresh, const struct rows *last, const char *volume,
			   const char *device, const char *kind, bool delta)
{
	struct latency *row = checked(calloc(1, sizeof(*row)));
	const struct latency *before;

	row->volume = text_copy(volume);
	row->device = text_copy(device);
	row->measured = disk_attr(device, "farmem/latency");
	row->kind = kind;
	latency_read(device, kind, &row->total);
	row->shown = row->total;
	before = delta ? latency_before(last, row) : NULL;
	if (before)
		histogram_subtract(&row->shown, &before->total);
	rows_append(fresh, row);
}

/* Four rows for each volume. */
static void latency_refresh(struct rows *report, const char *only, bool delta)
{
	struct rows fresh = { 0 };
	const char *const *kind;

	EACH_NAME(volume, object_names(VOLUMES)) {
		CLEANUP_FREE char *device = NULL;

		if (only && strcmp(only, *volume.at))
			continue;
		device = object_get(VOLUMES, *volume.at, "device");
		for (kind = latency_kinds; device && *device && *kind; kind++)
			latency_append(&fresh, report, *volume.at, device, *kind, delta);
	}
	latency_free(report);
	*report = fresh;
}

const struct report_ops latency_ops = { .refresh = latency_refresh, .free = latency_free };
