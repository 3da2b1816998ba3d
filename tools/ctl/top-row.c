// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "histogram.h"
#include "object.h"
#include "../group/group.h"
#include "../group/lvm.h"

#define SECTOR 512	/* as the kernel counts, whatever a disk has */

/* What a volume's disk counts, by the names that its files have. */
static const char *const counters[] = { "reads", "writes", "read_bytes", "write_bytes" };
static const char *const kinds[] = { "read", "write", "fault" };

#define COUNTERS (sizeof(counters) / sizeof(counters[0]))
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* A row of the table; of a session or a client much of it is empty. */
struct top {
	const char *object;
	char *name;
	char *state;
	char *device;
	char *disk;			/* the kernel's number of this disk, which no other has */
	char *inflight, *parked, *lent;
	const char *well;		/* a state that is no trouble */
	uint64_t count[COUNTERS];
	bool known[COUNTERS];		/* the kernel has it */
	struct histogram latency[KINDS];
	double rate[COUNTERS];		/* a second; negative: there is nothing to compare with */
	struct histogram shown[KINDS];	/* of the interval */
};

static const struct top *top_of(const void *row)
{
	return row;
}

static char *copy(const char *text)
{
	return text ? text_copy(text) : NULL;
}

static char *get_object(const void *row, const struct column *column)
{
	return text_copy(top_of(row)->object);
}

static char *get_name(const void *row, const struct column *column)
{
	return text_copy(top_of(row)->name);
}

static char *get_state(const void *row, const struct column *column)
{
	return copy(top_of(row)->state);
}

static char *get_rate(const void *row, size_t counter, const char *format)
{
	double rate = top_of(row)->rate[counter];
	char text[32];

	if (rate < 0)
		return NULL;
	snprintf(text, sizeof(text), format, rate);
	return text_copy(text);
}

static char *get_reads(const void *row, const struct column *column)
{
	return get_rate(row, 0, "%.1f");
}

static char *get_writes(const void *row, const struct column *column)
{
	return get_rate(row, 1, "%.1f");
}

static char *get_read_bytes(const void *row, const struct column *column)
{
	return get_rate(row, 2, "%.0f");
}

static char *get_write_bytes(const void *row, const struct column *column)
{
	return get_rate(row, 3, "%.0f");
}

/* The column's name tells: the first letter of the kind, and the percentile. */
static char *get_latency(const void *row, const struct column *column)
{
	size_t i;

	for (i = 0; kinds[i][0] != column->name[0]; i++)
		;
	return latency_text(&top_of(row)->shown[i], atoi(column->name + 1) * 10);
}

static char *get_inflight(const void *row, const struct column *column)
{
	return copy(top_of(row)->inflight);
}

static char *get_parked(const void *row, const struct column *column)
{
	return copy(top_of(row)->parked);
}

static char *get_lent(const void *row, const struct column *column)
{
	return copy(top_of(row)->lent);
}

static const struct column columns[] = {
	{ "object", "group, volume, session, or client of this node's memory server", COLUMN_TEXT, true, get_object },
	{ "name", "its name", COLUMN_TEXT, true, get_name },
	{ "state", "its state; of a client: connected or silent", COLUMN_TEXT, true, get_state },
	{ "reads", "reads a second", COLUMN_NUMBER, true, get_reads },
	{ "writes", "writes a second", COLUMN_NUMBER, true, get_writes },
	{ "rbytes", "bytes read a second", COLUMN_BYTES, true, get_read_bytes },
	{ "wbytes", "bytes written a second", COLUMN_BYTES, true, get_write_bytes },
	{ "r50", "time that half of the reads stay below", COLUMN_TIME, true, get_latency },
	{ "r99", "the same of 99 % of the reads", COLUMN_TIME, true, get_latency },
	{ "w50", "time that half of the writes stay below", COLUMN_TIME, true, get_latency },
	{ "w99", "the same of 99 % of the writes", COLUMN_TIME, true, get_latency },
	{ "f50", "time that half of the page faults stay below", COLUMN_TIME, true, get_latency },
	{ "f99", "the same of 99 % of the page faults", COLUMN_TIME, true, get_latency },
	{ "inflight", "requests under way now", COLUMN_NUMBER, true, get_inflight },
	{ "parked", "I/O that waits for the session to recover", COLUMN_NUMBER, true, get_parked },
	{ "lent", "memory that the client has from this node", COLUMN_BYTES, true, get_lent },
};

const struct table top_table = TABLE("top", columns);

static struct top *top_new(const char *object, const char *name, const char *well)
{
	struct top *row = checked(calloc(1, sizeof(*row)));
	size_t i;

	row->object = object;
	row->name = text_copy(name);
	row->well = well;
	for (i = 0; i < COUNTERS; i++)
		row->rate[i] = -1;
	return row;
}

/* The kernel's own counters of any disk. */
static void read_stat(struct top *row)
{
	CLEANUP_FREE char *stat = disk_attr(row->device, "stat");
	CLEANUP_FREE char *inflight = disk_attr(row->device, "inflight");
	uint64_t reads, read_sectors, writes, write_sectors, reading, writing;
	size_t i;

	if (inflight && sscanf(inflight, "%" SCNu64 " %" SCNu64, &reading, &writing) == 2)
		row->inflight = text_format("%" PRIu64, reading + writing);
	if (!stat || sscanf(stat, "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64,
			    &reads, &read_sectors, &writes, &write_sectors) != 4)
		return;
	row->count[0] = reads;
	row->count[1] = writes;
	row->count[2] = read_sectors * SECTOR;
	row->count[3] = write_sectors * SECTOR;
	for (i = 0; i < COUNTERS; i++)
		row->known[i] = true;
}

/** top_row_group() - a group as it is now, for top_row_free() */
struct top *top_row_group(const char *name)
{
	struct top *row = top_new("group", name, "live");
	struct group group;

	row->state = text_copy(record_look(name, &group) ? group_state(&group) : "unreadable");
	record_free(&group);
	row->device = lvm_node(name);
	row->disk = disk_attr(row->device, "diskseq");
	read_stat(row);
	return row;
}

/** top_row_volume() - a volume as it is now, for top_row_free() */
struct top *top_row_volume(const char *name)
{
	struct top *row = top_new("volume", name, "live");
	size_t i;

	row->state = object_get(VOLUMES, name, "state");
	row->device = object_get(VOLUMES, name, "device");
	if (!row->device || !*row->device)
		return row;
	row->disk = disk_attr(row->device, "diskseq");
	row->inflight = stats_read(row->device, "inflight");
	row->parked = stats_read(row->device, "parked");
	for (i = 0; i < COUNTERS; i++) {
		CLEANUP_FREE char *value = stats_read(row->device, counters[i]);

		row->known[i] = value && *value;
		row->count[i] = row->known[i] ? strtoull(value, NULL, 10) : 0;
	}
	for (i = 0; i < KINDS; i++)
		latency_read(row->device, kinds[i], &row->latency[i]);
	return row;
}

/** top_row_session() - a session as it is now, for top_row_free() */
struct top *top_row_session(const char *name)
{
	struct top *row = top_new("session", name, "live");

	row->state = object_get(SESSIONS, name, "state");
	return row;
}

/** top_row_client() - a client as the server tells of it, for top_row_free() */
struct top *top_row_client(const json_t *client)
{
	const char *name = json_string_value(json_object_get(client, "name"));
	struct top *row = top_new("client", name ? name : "?", "connected");

	row->state = text_copy(json_is_true(json_object_get(client, "connected")) ?
			       "connected" : "silent");
	row->lent = server_value(json_object_get(client, "bytes"));
	return row;
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Has no counter begun anew?  Older kernels do not number their disks. */
static bool grew(const struct top *row, const struct top *before)
{
	size_t i, n;

	for (i = 0; i < COUNTERS; i++)
		if (row->count[i] < before->count[i] || row->known[i] != before->known[i])
			return false;
	for (i = 0; i < KINDS; i++) {
		if (row->latency[i].buckets != before->latency[i].buckets)
			return false;
		for (n = 0; n < row->latency[i].buckets; n++)
			if (row->latency[i].count[n] < before->latency[i].count[n])
				return false;
	}
	return true;
}

static const struct top *find(const struct rows *before, const struct top *row)
{
	size_t i;

	for (i = 0; i < before->count; i++) {
		const struct top *old = before->row[i];

		if (old->object == row->object && !strcmp(old->name, row->name))
			return same(old->device, row->device) && same(old->disk, row->disk) ? old : NULL;
	}
	return NULL;
}

/**
 * top_row_compare() - what a row did since a report before
 * @row: new; a disk that is not the same, or was not there, has no rates yet
 * @before: the report; it may be empty
 * @seconds: ago
 */
void top_row_compare(struct top *row, const struct rows *before, double seconds)
{
	const struct top *old = find(before, row);
	size_t i;

	if (!old || !row->device || seconds <= 0 || !grew(row, old))
		return;
	for (i = 0; i < COUNTERS; i++)
		if (row->known[i])
			row->rate[i] = (row->count[i] - old->count[i]) / seconds;
	for (i = 0; i < KINDS; i++) {
		row->shown[i] = row->latency[i];
		histogram_subtract(&row->shown[i], &old->latency[i]);
	}
}

/** top_row_well() - is its state no trouble? */
bool top_row_well(const struct top *row)
{
	return row->state && (!strcmp(row->state, row->well) || !strcmp(row->state, "off"));
}

/** top_row_free() - forget it */
void top_row_free(struct top *row)
{
	free(row->name);
	free(row->state);
	free(row->device);
	free(row->disk);
	free(row->inflight);
	free(row->parked);
	free(row->lent);
	free(row);
}
