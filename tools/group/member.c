// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "object.h"
#include "../ctl/commands.h"

/*
 * Of a chunk with a copy: seconds that its I/O waits for its server while the other one can
 * serve.  Then md goes on with that one.
 */
#define LEG_DEADLINE	"1"

/* What md and LVM keep for themselves of each chunk. */
#define OVERHEAD	LVM_EXTENT

/** member_link() - a chunk's disk, by a name that it has before it is made, to free */
char *member_link(const struct group_chunk *chunk)
{
	return text_format(DISK_LINKS "/%s", chunk->volume);
}

/** member_path() - the disk that LVM gets, to free */
char *member_path(const struct group *group, unsigned int pair)
{
	if (group->copies > 1)
		return array_path(group->name, pair);
	EACH_LEG(chunk, group, pair)
		return member_link(chunk);
	return text_copy("");
}

/** member_disk() - the kernel's name of a chunk's disk, to free; NULL: it has none */
char *member_disk(const struct group_chunk *chunk)
{
	char *disk = object_get(VOLUMES, chunk->volume, "device");

	if (disk && *disk)
		return disk;
	free(disk);
	return NULL;
}

/** member_exists() - is its volume there?  One of that name that somebody else made is not it */
bool member_exists(const struct group_chunk *chunk)
{
	CLEANUP_FREE char *uuid = object_get(VOLUMES, chunk->volume, "uuid");

	return uuid && !strcasecmp(uuid, chunk->uuid);
}

/** member_is_in_state() - is its volume in that state? */
bool member_is_in_state(const struct group_chunk *chunk, const char *state)
{
	CLEANUP_FREE char *now = object_get(VOLUMES, chunk->volume, "state");

	return now && !strcmp(now, state);
}

/** member_leg() - what a chunk's array makes of it */
enum array_leg member_leg(const struct group_chunk *chunk)
{
	CLEANUP_FREE char *disk = member_disk(chunk);

	return array_leg(disk);
}

/** member_pairs() - one more than the highest number of a pair */
unsigned int member_pairs(const struct group *group)
{
	unsigned int end = 0;

	EACH_CHUNK(chunk, group)
		if (chunk->pair >= end)
			end = chunk->pair + 1;
	return end;
}

/** member_chunk_state() - a word for what a chunk does */
const char *member_chunk_state(const struct group *group, const struct group_chunk *chunk)
{
	CLEANUP_FREE char *state = object_get(VOLUMES, chunk->volume, "state");
	CLEANUP_FREE char *disk = member_disk(chunk);
	static const char *const legs[] = {
		[ARRAY_LEG_NONE] = "unused", [ARRAY_LEG_FAULTY] = "failed", [ARRAY_LEG_COPYING] = "copying",
		[ARRAY_LEG_SPARE] = "spare", [ARRAY_LEG_IN_SYNC] = "live", [ARRAY_LEG_LOST] = "lost",
	};
	const char *const *known = object_states(VOLUMES);
	size_t i = 0;

	if (!state)
		return "off";
	while (known[i] && strcmp(known[i], state))
		i++;
	if (!known[i])
		return "unknown";
	if (group->copies == 1 || strcmp(state, "live"))
		return known[i];
	return legs[array_leg(disk)];
}

static enum member_state chunk_state(const struct group *group, unsigned int pair)
{
	EACH_LEG(chunk, group, pair)
		if (!strcmp(member_chunk_state(group, chunk), "live"))
			return MEMBER_LIVE;
	EACH_LEG(chunk, group, pair)
		if (object_powered(VOLUMES, chunk->volume))
			return MEMBER_DEGRADED;
	return MEMBER_OFF;
}

/** member_state() - how a pair, or a lone chunk, is */
enum member_state member_state(const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	CLEANUP_FREE char *name = group->copies > 1 ? array_at(path) : NULL;
	unsigned int live = 0;
	struct array array;

	if (group->copies == 1)
		return chunk_state(group, pair);
	if (!name)
		return MEMBER_OFF;
	array_read(name, &array);
	if (array.copying)
		return MEMBER_COPYING;
	EACH_LEG(chunk, group, pair)
		live += !strcmp(member_chunk_state(group, chunk), "live");
	return array.degraded || live < group->copies ? MEMBER_DEGRADED : MEMBER_LIVE;
}

/**
 * member_make_chunk() - the command that makes a chunk's volume
 * @partner: the chunk with the same bytes, NULL as long as there is none
 */
void member_make_chunk(struct plan *plan, const struct group *group, const struct group_chunk *chunk,
		       const struct group_chunk *partner)
{
	CLEANUP_FREE char *bytes = text_format("%" PRIu64, chunk->size);
	size_t i;

	plan_do(plan, "farmemctl", "volume", "create", chunk->volume, "--uuid", chunk->uuid, "--size", bytes,
		"--server", chunk->server, NULL);
	for (i = 0; i < group->option_count; i++)
		plan_add_word(plan, group->options[i]);
	if (group->copies > 1) {
		plan_add_word(plan, "--io-deadline");
		plan_add_word(plan, LEG_DEADLINE);
	}
	if (partner) {
		plan_add_word(plan, "--partner");
		plan_add_word(plan, partner->volume);
	}
	plan_undo(plan, "farmemctl", "volume", "delete", chunk->volume, NULL);
}

/** member_make_missing() - make the chunks whose volumes are gone and whose servers are there */
void member_make_missing(const struct group *group)
{
	EACH_CHUNK(chunk, group) {
		struct plan plan = { 0 };

		if (stop_requested() || member_exists(chunk) || !lender_is_live(chunk->server))
			continue;
		member_make_chunk(&plan, group, chunk, NULL);
		plan_add_word(&plan, "--if-absent");
		plan_carry_out(&plan, false);
	}
}

/**
 * member_drop_chunk() - the command that removes a chunk's volume
 *
 * A server that is away keeps the memory, and so may one whose volume is not there: such a
 * chunk becomes an orphan.
 */
void member_drop_chunk(struct plan *plan, struct group_chunk *chunk)
{
	bool there = member_exists(chunk);
	CLEANUP_FREE char *disk = there ? member_disk(chunk) : NULL;
	CLEANUP_FREE char *last = lender_generation(chunk->server);

	chunk->kept = !there || (!member_is_in_state(chunk, "live") && !member_is_in_state(chunk, "lost"));
	if (!there)
		return;
	plan_do(plan, "farmemctl", "volume", "delete", chunk->volume, NULL);
	if (!chunk->kept)
		return;
	plan_add_words(plan, "--force", "--keep", NULL);
	free(chunk->generation);
	chunk->generation = disk ? attr_read("%s/block/%s/farmem/generation", sysfs_root(), disk) : NULL;
	/* It may have been back with other memory, and have lent of that as well. */
	if (chunk->generation && last && strcmp(chunk->generation, last)) {
		free(chunk->generation);
		chunk->generation = NULL;
	}
}

/** member_drop_absent() - chunks of a pair, from a place of the record on, whose volumes are gone */
void member_drop_absent(struct group *group, unsigned int pair, size_t from)
{
	size_t i;

	for (i = group->chunk_count; i-- > from;)
		if (group->chunks[i].pair == pair && !member_exists(&group->chunks[i]))
			record_drop_chunk(group, group->chunks[i].volume);
}

/** member_take_back_orphans() - servers that are back give back the memory that the group left there */
void member_take_back_orphans(struct group *group)
{
	size_t i;

	lender_reach_orphans(group);
	/* A connection ends with its last volume: all are there before the first one goes. */
	for (i = 0; i < group->orphan_count; i++) {
		struct group_chunk *orphan = &group->orphans[i];
		struct plan plan = { 0 };

		if (!lender_is_live(orphan->server) || !lender_may_hold(orphan))
			continue;
		member_make_chunk(&plan, group, orphan, NULL);
		plan_add_word(&plan, "--if-absent");
		plan_carry_out(&plan, false);
	}
	for (i = group->orphan_count; i--;) {
		struct group_chunk *orphan = &group->orphans[i];
		struct plan plan = { 0 };

		if (stop_requested() || !lender_is_live(orphan->server))
			continue;
		if (member_exists(orphan))
			plan_do(&plan, "farmemctl", "volume", "delete", orphan->volume, NULL);
		else if (lender_may_hold(orphan))
			continue;
		/* Else the server has other memory by now: nothing of the orphan is there. */
		if (plan_carry_out(&plan, false))
			continue;
		record_drop_orphan(group, orphan);
		record_save(group);
	}
}

/**
 * member_tie() - the commands that tell two chunks of each other: both hold the same bytes
 *
 * From now on I/O of the one waits as long as the other can't serve.
 */
void member_tie(struct plan *plan, const struct group_chunk *a, const struct group_chunk *b)
{
	plan_do(plan, "farmemctl", "volume", "set", a->volume, "--partner", b->volume, NULL);
	plan_do(plan, "farmemctl", "volume", "set", b->volume, "--partner", a->volume, NULL);
}

/** member_stop_pair() - the command that stops a pair's array, if one is there that is ours */
void member_stop_pair(struct plan *plan, const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	CLEANUP_FREE char *name = array_at(path);
	bool ours = false;

	EACH_LEG(chunk, group, pair) {
		CLEANUP_FREE char *disk = member_exists(chunk) ? member_disk(chunk) : NULL;
		CLEANUP_FREE char *over = array_over(disk);

		ours |= name && over && !strcmp(name, over);
	}
	if (ours)
		plan_do(plan, "mdadm", "--quiet", "--stop", path, NULL);
}

/** member_end_waits() - the commands that fail what waits for servers: a pair's metadata, too */
void member_end_waits(struct plan *plan, const struct group *group)
{
	EACH_CHUNK(chunk, group)
		if (member_exists(chunk) && !member_is_in_state(chunk, "live") && !member_is_in_state(chunk, "lost"))
			plan_do(plan, "farmemctl", "volume", "set", chunk->volume, "--io-deadline", "0",
				"--partner", "", NULL);
}

/* What a new volume has. */
static char *deadline_of(const struct group *group)
{
	return group->copies > 1 ? text_copy(LEG_DEADLINE) :
	       attr_read("%s/module/farmem/parameters/io_deadline", sysfs_root()) ?: text_copy("0");
}

static bool is_impatient(const struct group_chunk *chunk, const char *deadline)
{
	CLEANUP_FREE char *now = object_get(VOLUMES, chunk->volume, "io_deadline");

	/* A wait without an end is not begun again: the stop may be under way still. */
	return now && !strcmp(now, "0") && strcmp(deadline, "0") && *deadline != '-';
}

/** member_is_impatient() - is there a chunk that waits for no server, since a "group stop --force" was refused? */
bool member_is_impatient(const struct group *group)
{
	CLEANUP_FREE char *deadline = deadline_of(group);

	EACH_CHUNK(chunk, group)
		if (is_impatient(chunk, deadline))
			return true;
	return false;
}

/** member_begin_waits() - the commands by which chunks have the deadline of new ones again, after member_end_waits() */
void member_begin_waits(struct plan *plan, const struct group *group)
{
	CLEANUP_FREE char *deadline = deadline_of(group);

	EACH_CHUNK(chunk, group)
		if (is_impatient(chunk, deadline))
			plan_do(plan, "farmemctl", "volume", "set", chunk->volume, "--io-deadline", deadline, NULL);
}

/** member_disconnect() - the commands that remove all volumes of a group, whose bytes stay */
void member_disconnect(struct plan *plan, const struct group *group)
{
	EACH_CHUNK(chunk, group) {
		if (!member_exists(chunk))
			continue;
		plan_do(plan, "farmemctl", "volume", "delete", chunk->volume, "--keep", NULL);
		if (!member_is_in_state(chunk, "live"))
			plan_add_word(plan, "--force");
	}
}

/** member_make_pair() - the command that makes an array of new chunks: all of them are zeros */
void member_make_pair(struct plan *plan, const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);

	plan_do(plan, "mdadm", "--create", path, "--quiet", "--config", MDADM_CONFIG, "--run", "--level=1",
		"--raid-devices=2", "--assume-clean", "--metadata=1.2", "--bitmap=internal", "--data-offset=1M", NULL);
	plan_undo(plan, "mdadm", "--quiet", "--stop", path, NULL);
	EACH_LEG(chunk, group, pair) {
		CLEANUP_FREE char *link = member_link(chunk);

		plan_add_word(plan, link);
	}
}

/** member_is_used() - is a pair a part of the device?  Not so what an ended command left */
bool member_is_used(const struct group *group, unsigned int pair)
{
	EACH_LEG(chunk, group, pair)
		if (chunk->current)
			return true;
	return false;
}

/* Of the chunks, which are of one size. */
static uint64_t pair_bytes(const struct group *group, unsigned int pair)
{
	EACH_LEG(chunk, group, pair)
		return chunk->size - OVERHEAD;
	return 0;
}

/** member_bytes() - what LVM can hand out of all pairs */
uint64_t member_bytes(const struct group *group)
{
	uint64_t bytes = 0;
	unsigned int pair;

	for (pair = 0; pair < member_pairs(group); pair++)
		bytes += pair_bytes(group, pair);
	return bytes;
}

/* All copies of a chunk.  Return: false: no server has room, and *@first is the copy that has one, or NULL. */
static bool place_pair(struct group *group, uint64_t size, struct group_chunk **first)
{
	unsigned int pair = member_pairs(group), copy;

	*first = NULL;
	for (copy = 0; copy < group->copies; copy++) {
		struct group_server *server = lender_choose(group, size, *first, NULL, false);

		if (!server)
			return false;
		*first = record_add_chunk(group, server->address, pair, size) - copy;
	}
	return true;
}

static int add_pair(struct group *group, struct plan *plan, uint64_t size)
{
	unsigned int pair = member_pairs(group);
	struct group_chunk *first;
	unsigned int copy;

	if (!place_pair(group, size, &first))
		return lender_refuse(group, size, first, NULL);
	for (copy = 0; copy < group->copies; copy++)
		member_make_chunk(plan, group, first + copy, group->copies > 1 ? first + !copy : NULL);
	if (group->copies > 1)
		member_make_pair(plan, group, pair);
	return RC_OK;
}

/** member_chunk() - how many bytes each chunk for so many more takes of its server, and how many there are */
uint64_t member_chunk(const struct group *group, uint64_t bytes, uint64_t *count)
{
	*count = (bytes + group->chunk - 1) / group->chunk;
	return (bytes / LVM_EXTENT + *count - 1) / *count * LVM_EXTENT + OVERHEAD;
}

/**
 * member_lacks() - for how many chunks, of so many bytes more, the group's servers have no room
 *
 * Their free bytes are those then that are left if the others lie there.  Return: 0: there is
 * room for all, and nothing has changed.
 */
uint64_t member_lacks(struct group *group, uint64_t bytes)
{
	uint64_t count, each = member_chunk(group, bytes, &count);
	uint64_t *had = checked(calloc(group->server_count, sizeof(*had)));
	size_t before = group->chunk_count, i;
	unsigned int next = group->next;
	struct group_chunk *first;

	for (i = 0; i < group->server_count; i++)
		had[i] = group->servers[i].free;

	while (count && place_pair(group, each, &first))
		count--;
	while (group->chunk_count > before)
		record_drop_chunk(group, group->chunks[group->chunk_count - 1].volume);
	group->next = next;
	for (i = 0; !count && i < group->server_count; i++)
		group->servers[i].free = had[i];
	free(had);
	return count;
}

/**
 * member_add() - pairs, or lone chunks, for so many bytes more
 *
 * All are of one size, at most that of a chunk.  Return: RC_OK, or RC_FAILURE after saying
 * for what no server has room.
 */
int member_add(struct group *group, struct plan *plan, uint64_t bytes)
{
	uint64_t count, each = member_chunk(group, bytes, &count);
	int rc = RC_OK;

	while (count-- && !rc)
		rc = add_pair(group, plan, each);
	return rc;
}
