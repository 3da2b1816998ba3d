// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>
#include <string.h>

#include "assembly.h"
#include "attr.h"
#include "cli.h"
#include "../ctl/commands.h"

/* Steps of one run for one pair: servers may refuse a chunk, and die while it is copied. */
#define TRIES_MAX	8

static void examine(const struct group_chunk *chunk, struct array_trace *trace)
{
	CLEANUP_FREE char *disk = member_disk(chunk);

	array_examine(disk ? disk : "", trace);
}

/* It did not go on without those that its pair has now, and has all that it had. */
static bool may_return(const struct group *group, const struct group_chunk *chunk)
{
	CLEANUP_FREE char *disk = member_disk(chunk);
	struct array_trace out, member;

	if (array_has_lost(disk))
		return false;
	examine(chunk, &out);
	EACH_LEG(other, group, chunk->pair) {
		if (member_leg(other) != ARRAY_LEG_IN_SYNC)
			continue;
		examine(other, &member);
		if (!assembly_may_return(&out, &member))
			return false;
	}
	return true;
}

/* A chunk whose server is back with its memory: md copies what was written meanwhile. */
static int take_back(struct group *group, const char *path, struct group_chunk *chunk, bool dry_run)
{
	CLEANUP_FREE char *link = member_link(chunk);
	bool may = may_return(group, chunk);
	struct plan plan = { 0 };
	int rc = RC_FAILURE;

	chunk->current = may;
	if (!dry_run && record_save(group))
		return RC_FAILURE;
	if (may) {
		plan_do(&plan, "mdadm", "--quiet", path, "--re-add", link, NULL);
		rc = plan_carry_out(&plan, dry_run);
	}
	if (!rc)
		return copies_wait(path, chunk->volume, dry_run);
	chunk->current = false;
	fprintf(stderr, "  %s is not what the pair held: a new chunk takes its place\n", chunk->volume);
	return RC_FAILURE;
}

/* md did not fill the chunk: it goes, or each try would keep memory of one more server. */
static int drop_failed(struct group *group, const char *volume)
{
	struct group_chunk *chunk = record_chunk(group, volume);
	enum array_leg leg = member_leg(chunk);
	struct plan plan = { 0 };

	if (leg == ARRAY_LEG_COPYING || leg >= ARRAY_LEG_IN_SYNC)
		return RC_WARNING;
	copies_take_out(&plan, group, chunk->pair);
	member_drop_chunk(&plan, chunk);
	if (plan_carry_out(&plan, false))
		return RC_FAILURE;
	record_drop_chunk(group, volume);
	return record_save(group) ? RC_FAILURE : RC_WARNING;
}

/*
 * Chunks that ended tries have left, and those that did not hold what the pair held: no server
 * has room for a new one beside them, and another chunk holds all bytes.  Have some gone?
 */
static bool drop_useless(struct group *group, unsigned int pair)
{
	size_t before = group->chunk_count;
	struct plan plan = { 0 };
	double within;

	EACH_LEG(chunk, group, pair) {
		if (member_leg(chunk) != ARRAY_LEG_NONE || !member_is_in_state(chunk, "live"))
			continue;
		member_drop_chunk(&plan, chunk);
		/* One that wants memory back keeps what it gets. */
		if (!lender_wanted(chunk->server, &within))
			lender_give(record_server(group, chunk->server), chunk->size);
	}
	if (plan_carry_out(&plan, false))
		return false;
	member_drop_absent(group, pair, 0);
	return group->chunk_count < before && !record_save(group);
}

/* A server does not make a new chunk: another one may. */
static int refused(struct group *group, struct group_server *server, const char *volume)
{
	record_drop_chunk(group, volume);
	server->free = 0;
	return record_save(group) || stop_requested() ? RC_FAILURE : RC_WARNING;
}

/* One more copy of a chunk.  RC_WARNING: that server could not, and another one may. */
static int add_copy(struct group *group, const char *path, const struct group_chunk *good, bool dry_run)
{
	struct group_chunk *lost = copies_find(group, good->pair, ARRAY_LEG_NONE);
	bool is_away = lost && !member_is_in_state(lost, "lost") && !member_is_in_state(lost, "live");
	struct group_server *server;
	struct group_chunk *chunk;
	CLEANUP_FREE char *coming = NULL;
	CLEANUP_FREE char *link = NULL;
	struct plan plan = { 0 };
	int rc;

	server = find_server(group, good->size, good, is_away ? lost->server : NULL, true);
	if (!server && !dry_run && drop_useless(group, good->pair))
		return RC_WARNING;
	if (!server)
		return lender_refuse(group, good->size, good, is_away ? lost->server : NULL);
	chunk = record_add_chunk(group, server->address, good->pair, good->size);
	chunk->current = true;
	coming = text_copy(chunk->volume);
	link = member_link(chunk);
	member_make_chunk(&plan, group, chunk, NULL);
	plan_do(&plan, "mdadm", "--quiet", path, "--add", link, NULL);
	if (!dry_run && record_save(group))
		return RC_FAILURE;
	if (!plan_carry_out(&plan, dry_run)) {
		rc = copies_wait(path, coming, dry_run);
		return rc == RC_WARNING ? drop_failed(group, coming) : rc;
	}
	return member_exists(record_chunk(group, coming)) ? RC_FAILURE : refused(group, server, coming);
}

/* An ended command has left it so.  It may need no more than that its array thaws. */
static int go_on_with(struct group *group, const char *path, const struct group_chunk *spare, bool dry_run)
{
	CLEANUP_FREE char *volume = text_copy(spare->volume);
	int rc = copies_wait(path, volume, dry_run);

	return rc == RC_WARNING ? drop_failed(group, volume) : rc;
}

/* A step nearer, by the chunk that was thrown out, or by a new one.  RC_WARNING: the next try may do it. */
static int approach(struct group *group, unsigned int pair, bool *may_come_back, bool dry_run)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	struct group_chunk *good = copies_find_whole(group, pair);
	struct group_chunk *out;
	struct plan plan = { 0 };
	int rc;

	if (!good) {
		fail("group %s: no chunk of %s that holds all bytes can be reached", group->name, path);
		return next_step("farmemctl group chunks %s    (tells which servers it needs)", group->name);
	}
	out = copies_find(group, pair, ARRAY_LEG_SPARE);
	if (out && member_is_in_state(out, "live"))
		return go_on_with(group, path, out, dry_run);
	out = copies_find(group, pair, ARRAY_LEG_FAULTY) ?: copies_find(group, pair, ARRAY_LEG_NONE);
	copies_remove(&plan, group, pair);
	rc = plan_carry_out(&plan, dry_run);
	if (!rc && *may_come_back && out && member_is_in_state(out, "live")) {
		*may_come_back = false;
		rc = take_back(group, path, out, dry_run);
		if (rc != RC_FAILURE || stop_requested() || array_stands_still(path))
			return rc;
		rc = RC_OK;
	}
	return rc ? rc : add_copy(group, path, good, dry_run);
}

/**
 * pair_replace() - a new chunk takes the place of one whose pair goes on with both until then
 *
 * What the old one has lost md reads from the other one.
 * Return: RC_OK, or RC_FAILURE: a command failed.
 */
int pair_replace(struct group *group, unsigned int pair, const char *old, const char *new, bool dry_run)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	CLEANUP_FREE char *from = member_link(record_chunk(group, old));
	CLEANUP_FREE char *to = member_link(record_chunk(group, new));
	CLEANUP_FREE char *disk = member_disk(record_chunk(group, old));
	struct plan plan = { 0 };
	int rc;

	/* md would take the new disk for the old one's at once, and mdadm then refuses to name that. */
	if (!dry_run)
		array_keep(path, disk);
	member_make_chunk(&plan, group, record_chunk(group, new), NULL);
	plan_do(&plan, "mdadm", "--quiet", path, "--add", to, NULL);
	plan_undo(&plan, "mdadm", "--quiet", path, "--fail", to, "--remove", to, NULL);
	plan_do(&plan, "mdadm", "--quiet", path, "--replace", from, "--with", to, NULL);
	rc = plan_carry_out(&plan, dry_run);
	if (rc)
		return rc;
	plan_wait(&plan, &(struct array_goal) { .path = path, .volume = (char *)new, .instead = (char *)old });
	if (dry_run) {
		plan_do(&plan, "mdadm", "--quiet", path, "--remove", from, NULL);
		EACH_LEG(chunk, group, pair)
			if (copies_is_there(chunk) && strcmp(chunk->volume, old) && strcmp(chunk->volume, new))
				member_tie(&plan, record_chunk(group, new), chunk);
		member_drop_chunk(&plan, record_chunk(group, old));
	}
	return plan_carry_out(&plan, dry_run);
}

/*
 * The pair keeps the two chunks that md reads.  An ended try may have left a third one: nobody
 * needs its memory, if one of the two holds all bytes.  RC_WARNING: one of them is away now.
 */
static int drop_ended_try(struct group *group, unsigned int pair, bool dry_run)
{
	struct group_chunk *there[GROUP_COPIES] = { NULL };
	struct plan plan = { 0 };
	size_t count = 0;

	EACH_LEG(chunk, group, pair)
		if (copies_is_there(chunk) && count < GROUP_COPIES)
			there[count++] = chunk;
	if (count < GROUP_COPIES)
		return RC_WARNING;
	if (!copies_is_whole(there[0]) && !copies_is_whole(there[1]))
		return RC_OK;
	EACH_LEG(chunk, group, pair)
		if (chunk != there[0] && chunk != there[1])
			copies_untie(&plan, chunk);
	copies_take_out(&plan, group, pair);
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	if (!copies_is_there(there[0]) || !copies_is_there(there[1]) || (!copies_is_whole(there[0]) && !copies_is_whole(there[1])))
		return RC_WARNING;
	return copies_keep(group, pair, there, dry_run);
}

/* The server of a chunk has lost bytes of it, and may be the best one for the new chunk all the same. */
static int replace_lost(struct group *group, unsigned int pair, bool dry_run)
{
	int rc = drop_ended_try(group, pair, dry_run);
	struct group_chunk *lost = copies_find(group, pair, ARRAY_LEG_LOST), *other = lost, *chunk;
	CLEANUP_FREE char *old = lost ? text_copy(lost->volume) : NULL;
	CLEANUP_FREE char *new = NULL;
	struct group_server *server;

	/* It may be whole by now: pair_repair() looks again. */
	if (rc || !lost)
		return rc;
	EACH_LEG(one, group, pair)
		if (one != lost && copies_is_there(one))
			other = one;
	server = find_server(group, lost->size, other, NULL, true);
	if (!server)
		return lender_refuse(group, lost->size, other, NULL);
	chunk = record_add_chunk(group, server->address, pair, lost->size);
	chunk->current = true;
	new = text_copy(chunk->volume);
	if (!dry_run && record_save(group))
		return RC_FAILURE;
	rc = pair_replace(group, pair, old, new, dry_run);
	if (!rc || dry_run)
		return rc;
	if (member_exists(record_chunk(group, new)))
		return stop_requested() ? RC_FAILURE : RC_WARNING;
	return refused(group, server, new);
}

/**
 * pair_repair() - each byte of a pair in two copies again
 *
 * What is under way is waited for, so this goes on where any ended command stopped.
 * Return: RC_OK, or RC_FAILURE after saying what it needs.
 */
int pair_repair(struct group *group, unsigned int pair, bool dry_run)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	bool may_come_back = true;
	unsigned int tries;
	int rc = RC_WARNING;

	/* Also where all copies are there: md would not make the next one that is lost. */
	if (!dry_run)
		array_thaw(path);
	for (tries = 0; tries < TRIES_MAX && rc == RC_WARNING; tries++) {
		bool copying = member_state(group, pair) == MEMBER_COPYING;

		if (!copying && copies_count_whole(group, pair) >= GROUP_COPIES) {
			rc = copies_settle(group, pair, dry_run);
			continue;
		}
		if (!copying && copies_count_there(group, pair) >= GROUP_COPIES) {
			rc = replace_lost(group, pair, dry_run);
			if (rc == RC_FAILURE || (!rc && dry_run))
				return rc;
			rc = RC_WARNING;
			continue;
		}
		rc = copying ? copies_wait(path, NULL, dry_run) : approach(group, pair, &may_come_back, dry_run);
		if (!rc && dry_run)
			return rc;
		/* One that is lost while it is made: the next one may not be. */
		rc = rc ?: RC_WARNING;
	}
	return rc == RC_WARNING ? fail("group %s: %s lost its copy again and again", group->name, path) : rc;
}
