// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>
#include <string.h>

#include "assembly.h"
#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "object.h"
#include "../ctl/commands.h"

/* Steps of one run for one pair: servers may refuse a chunk, and die while it is copied. */
#define TRIES_MAX	8

static struct group_chunk *find_leg(const struct group *group, unsigned int pair, enum array_leg leg)
{
	EACH_LEG(chunk, group, pair)
		if (member_leg(chunk) == leg)
			return chunk;
	return NULL;
}

/* md reads it, and it can be reached. */
static bool is_there(const struct group_chunk *chunk)
{
	return member_leg(chunk) >= ARRAY_LEG_IN_SYNC && member_is_in_state(chunk, "live");
}

/* It holds all bytes, and they can be reached. */
static bool is_whole(const struct group_chunk *chunk)
{
	return member_leg(chunk) == ARRAY_LEG_IN_SYNC && member_is_in_state(chunk, "live");
}

static struct group_chunk *find_whole(const struct group *group, unsigned int pair)
{
	EACH_LEG(chunk, group, pair)
		if (is_whole(chunk))
			return chunk;
	return NULL;
}

static unsigned int count_whole(const struct group *group, unsigned int pair)
{
	unsigned int count = 0;

	EACH_LEG(chunk, group, pair)
		count += is_whole(chunk);
	return count;
}

/** repair_count_there() - chunks of a pair that md reads, and that can be reached; some may have lost bytes */
unsigned int repair_count_there(const struct group *group, unsigned int pair)
{
	unsigned int count = 0;

	EACH_LEG(chunk, group, pair)
		count += is_there(chunk);
	return count;
}

static bool is_tied(const struct group_chunk *chunk, const struct group_chunk *partner)
{
	CLEANUP_FREE char *now = object_get(VOLUMES, chunk->volume, "partner");
	CLEANUP_FREE char *stale = object_get(VOLUMES, chunk->volume, "stale");

	return now && !strcmp(now, partner->volume) && stale && !strcmp(stale, "0");
}

static bool is_settled(const struct group *group, unsigned int pair)
{
	struct group_chunk *whole[GROUP_COPIES] = { NULL };
	size_t count = 0;

	EACH_LEG(chunk, group, pair)
		if (count < GROUP_COPIES)
			whole[count++] = chunk;
		else
			return false;
	return count == GROUP_COPIES && member_state(group, pair) == MEMBER_LIVE &&
	       is_tied(whole[0], whole[1]) && is_tied(whole[1], whole[0]);
}

/** repair_is_needed() - does a group lack copies, or has an ended command left chunks? */
bool repair_is_needed(const struct group *group)
{
	unsigned int pair;

	EACH_CHUNK(chunk, group)
		if (!chunk->current)
			return true;
	for (pair = 0; group->copies > 1 && pair < member_pairs(group); pair++)
		if (!is_settled(group, pair))
			return true;
	return false;
}

/* The disk of a pair, or of a lone chunk, by the kernel's name, to free; NULL: there is none. */
static char *disk_of(const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);

	if (group->copies > 1)
		return array_at(path);
	EACH_LEG(chunk, group, pair)
		return member_exists(chunk) ? member_disk(chunk) : NULL;
	return NULL;
}

static void mark_current(struct group *group, unsigned int pair)
{
	EACH_LEG(chunk, group, pair)
		chunk->current = true;
}

/* A pair that is no part of the device: the command that made it was ended. */
static int sweep(struct group *group, unsigned int pair, bool dry_run)
{
	CLEANUP_FREE char *path = member_path(group, pair);
	CLEANUP_FREE char *disk = disk_of(group, pair);
	struct plan plan = { 0 };
	uint64_t used = 0;
	bool has = false;
	int rc;

	if (disk && lvm_has_member(group->name, disk, &has, &used))
		return RC_FAILURE;
	if (used) {
		mark_current(group, pair);
		return RC_OK;
	}
	if (has) {
		lvm_do(&plan, group->name, "vgreduce");
		plan_add_words(&plan, group->name, path, NULL);
	}
	if (group->copies > 1)
		member_stop_pair(&plan, group, pair);
	EACH_LEG(chunk, group, pair)
		member_drop_chunk(&plan, chunk);
	rc = plan_carry_out(&plan, dry_run);
	if (!rc && !dry_run)
		member_drop_absent(group, pair, 0);
	return rc;
}

/* Until md has filled a volume; NULL: until nothing is copied.  RC_WARNING: it failed, and another one may do. */
static int wait_for(const char *path, const char *volume, bool dry_run)
{
	struct plan plan = { 0 };
	int rc;

	plan_wait(&plan, &(struct array_goal) { .path = (char *)path, .volume = (char *)volume });
	rc = plan_carry_out(&plan, dry_run);
	return rc && !stop_requested() ? RC_WARNING : rc;
}

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
		return wait_for(path, chunk->volume, dry_run);
	chunk->current = false;
	fprintf(stderr, "  %s is not what the pair held: a new chunk takes its place\n", chunk->volume);
	return RC_FAILURE;
}

/* What the array has thrown out, or never came to use, leaves it. */
static void plan_take_out(struct plan *plan, const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);

	if (find_leg(group, pair, ARRAY_LEG_FAULTY))
		plan_do(plan, "mdadm", "--quiet", path, "--remove", "failed", NULL);
	EACH_LEG(chunk, group, pair) {
		CLEANUP_FREE char *link = member_link(chunk);

		if (member_leg(chunk) == ARRAY_LEG_SPARE)
			plan_do(plan, "mdadm", "--quiet", path, "--remove", link, NULL);
	}
}

/* md did not fill the chunk: it goes, or each try would keep memory of one more server. */
static int drop_failed(struct group *group, const char *volume)
{
	struct group_chunk *chunk = record_chunk(group, volume);
	enum array_leg leg = member_leg(chunk);
	struct plan plan = { 0 };

	if (leg == ARRAY_LEG_COPYING || leg >= ARRAY_LEG_IN_SYNC)
		return RC_WARNING;
	plan_take_out(&plan, group, chunk->pair);
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

	EACH_LEG(chunk, group, pair) {
		if (member_leg(chunk) != ARRAY_LEG_NONE || !member_is_in_state(chunk, "live"))
			continue;
		member_drop_chunk(&plan, chunk);
		record_server(group, chunk->server)->free += chunk->size;
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
	struct group_chunk *lost = find_leg(group, good->pair, ARRAY_LEG_NONE);
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
		rc = wait_for(path, coming, dry_run);
		return rc == RC_WARNING ? drop_failed(group, coming) : rc;
	}
	return member_exists(record_chunk(group, coming)) ? RC_FAILURE : refused(group, server, coming);
}

/** repair_untie() - from now on the last chunk that holds all bytes does not count on this one */
void repair_untie(struct plan *plan, const struct group_chunk *chunk)
{
	CLEANUP_FREE char *partner = object_get(VOLUMES, chunk->volume, "partner");

	if (member_exists(chunk) && partner && *partner)
		plan_do(plan, "farmemctl", "volume", "set", chunk->volume, "--partner", "", NULL);
}

/* What plan_take_out() takes, and what the array has not missed yet, for want of I/O. */
static void plan_removal(struct plan *plan, const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);

	EACH_LEG(chunk, group, pair)
		if (!is_there(chunk))
			repair_untie(plan, chunk);
	plan_take_out(plan, group, pair);
	EACH_LEG(chunk, group, pair) {
		CLEANUP_FREE char *link = member_link(chunk);

		if (member_leg(chunk) >= ARRAY_LEG_IN_SYNC && !is_there(chunk))
			plan_do(plan, "mdadm", "--quiet", path, "--fail", link, "--remove", link, NULL);
	}
}

/* The record says which chunks hold all bytes before any other one goes. */
static int drop_others(struct group *group, unsigned int pair, struct group_chunk *const *whole, bool dry_run)
{
	struct plan plan = { 0 };

	EACH_LEG(chunk, group, pair) {
		chunk->current = chunk == whole[0] || chunk == whole[1];
		if (!chunk->current)
			member_drop_chunk(&plan, chunk);
	}
	if (!dry_run && record_save(group)) {
		plan_free(&plan);
		return RC_FAILURE;
	}
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	if (dry_run)
		return RC_OK;
	member_drop_absent(group, pair, 0);
	return record_save(group);
}

/**
 * repair_settle() - both copies of a pair are whole: tie them, and let go what else it has had
 *
 * Return: RC_OK, RC_FAILURE, or RC_WARNING: one of them was lost meanwhile.
 */
int repair_settle(struct group *group, unsigned int pair, bool dry_run)
{
	struct group_chunk *whole[GROUP_COPIES];
	struct plan plan = { 0 };
	size_t count = 0;

	EACH_LEG(chunk, group, pair)
		if (is_whole(chunk) && count < GROUP_COPIES)
			whole[count++] = chunk;
	if (count < GROUP_COPIES)
		return RC_WARNING;
	plan_removal(&plan, group, pair);
	if (!is_tied(whole[0], whole[1]) || !is_tied(whole[1], whole[0]))
		member_tie(&plan, whole[0], whole[1]);
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	if (dry_run || (is_whole(whole[0]) && is_whole(whole[1])))
		return drop_others(group, pair, whole, dry_run);
	EACH_LEG(chunk, group, pair)
		repair_untie(&plan, chunk);
	return plan_carry_out(&plan, false) ? RC_FAILURE : RC_WARNING;
}

/* One that is left alone waits for its server, as it would for a partner that is away, too. */
static void plan_hold(struct plan *plan, const struct group *group, const struct group_chunk *alone)
{
	CLEANUP_FREE char *partner = object_get(VOLUMES, alone->volume, "partner");

	EACH_LEG(other, group, alone->pair) {
		if (other == alone)
			continue;
		if (!partner || strcmp(partner, other->volume))
			plan_do(plan, "farmemctl", "volume", "set", alone->volume, "--partner", other->volume, NULL);
		return;
	}
}

/**
 * repair_protect() - what a pair has just been started with does not fail for a server's restart
 *
 * Return: RC_OK, or RC_FAILURE: a command failed.
 */
int repair_protect(struct group *group, unsigned int pair)
{
	struct group_chunk *in_sync[GROUP_COPIES];
	struct plan plan = { 0 };
	size_t count = 0;

	EACH_LEG(chunk, group, pair)
		if (member_leg(chunk) == ARRAY_LEG_IN_SYNC && count < GROUP_COPIES)
			in_sync[count++] = chunk;
	if (count == GROUP_COPIES && member_state(group, pair) != MEMBER_COPYING)
		return repair_settle(group, pair, false) == RC_FAILURE ? RC_FAILURE : RC_OK;
	if (count == GROUP_COPIES)
		member_tie(&plan, in_sync[0], in_sync[1]);
	else if (count)
		plan_hold(&plan, group, in_sync[0]);
	return plan_carry_out(&plan, false);
}

/* An ended command has left it so.  It may need no more than that its array thaws. */
static int go_on_with(struct group *group, const char *path, const struct group_chunk *spare, bool dry_run)
{
	CLEANUP_FREE char *volume = text_copy(spare->volume);
	int rc = wait_for(path, volume, dry_run);

	return rc == RC_WARNING ? drop_failed(group, volume) : rc;
}

/* A step nearer, by the chunk that was thrown out, or by a new one.  RC_WARNING: the next try may do it. */
static int approach(struct group *group, unsigned int pair, bool *may_come_back, bool dry_run)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	struct group_chunk *good = find_whole(group, pair);
	struct group_chunk *out;
	struct plan plan = { 0 };
	int rc;

	if (!good) {
		fail("group %s: no chunk of %s that holds all bytes can be reached", group->name, path);
		return next_step("farmemctl group chunks %s    (tells which servers it needs)", group->name);
	}
	out = find_leg(group, pair, ARRAY_LEG_SPARE);
	if (out && member_is_in_state(out, "live"))
		return go_on_with(group, path, out, dry_run);
	out = find_leg(group, pair, ARRAY_LEG_FAULTY) ?: find_leg(group, pair, ARRAY_LEG_NONE);
	plan_removal(&plan, group, pair);
	rc = plan_carry_out(&plan, dry_run);
	if (!rc && *may_come_back && out && member_is_in_state(out, "live")) {
		*may_come_back = false;
		rc = take_back(group, path, out, dry_run);
		if (rc != RC_FAILURE || stop_requested())
			return rc;
		rc = RC_OK;
	}
	return rc ? rc : add_copy(group, path, good, dry_run);
}

/**
 * repair_replace() - a new chunk takes the place of one whose pair goes on with both until then
 *
 * What the old one has lost md reads from the other one.
 * Return: RC_OK, or RC_FAILURE: a command failed.
 */
int repair_replace(struct group *group, unsigned int pair, const char *old, const char *new, bool dry_run)
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
			if (is_there(chunk) && strcmp(chunk->volume, old) && strcmp(chunk->volume, new))
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
		if (is_there(chunk) && count < GROUP_COPIES)
			there[count++] = chunk;
	if (count < GROUP_COPIES)
		return RC_WARNING;
	if (!is_whole(there[0]) && !is_whole(there[1]))
		return RC_OK;
	EACH_LEG(chunk, group, pair)
		if (chunk != there[0] && chunk != there[1])
			repair_untie(&plan, chunk);
	plan_take_out(&plan, group, pair);
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	if (!is_there(there[0]) || !is_there(there[1]) || (!is_whole(there[0]) && !is_whole(there[1])))
		return RC_WARNING;
	return drop_others(group, pair, there, dry_run);
}

/* The server of a chunk has lost bytes of it, and may be the best one for the new chunk all the same. */
static int replace_lost(struct group *group, unsigned int pair, bool dry_run)
{
	int rc = drop_ended_try(group, pair, dry_run);
	struct group_chunk *lost = find_leg(group, pair, ARRAY_LEG_LOST), *other = lost, *chunk;
	CLEANUP_FREE char *old = lost ? text_copy(lost->volume) : NULL;
	CLEANUP_FREE char *new = NULL;
	struct group_server *server;

	/* It may be whole by now: repair_pair() looks again. */
	if (rc || !lost)
		return rc;
	EACH_LEG(one, group, pair)
		if (one != lost && is_there(one))
			other = one;
	server = find_server(group, lost->size, other, NULL, true);
	if (!server)
		return lender_refuse(group, lost->size, other, NULL);
	chunk = record_add_chunk(group, server->address, pair, lost->size);
	chunk->current = true;
	new = text_copy(chunk->volume);
	if (!dry_run && record_save(group))
		return RC_FAILURE;
	rc = repair_replace(group, pair, old, new, dry_run);
	if (!rc || dry_run)
		return rc;
	if (member_exists(record_chunk(group, new)))
		return stop_requested() ? RC_FAILURE : RC_WARNING;
	return refused(group, server, new);
}

/**
 * repair_pair() - each byte of a pair in two copies again
 *
 * What is under way is waited for, so this goes on where any ended command stopped.
 * Return: RC_OK, or RC_FAILURE after saying what it needs.
 */
int repair_pair(struct group *group, unsigned int pair, bool dry_run)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	bool may_come_back = true;
	unsigned int tries;
	int rc = RC_WARNING;

	for (tries = 0; tries < TRIES_MAX && rc == RC_WARNING; tries++) {
		bool copying = member_state(group, pair) == MEMBER_COPYING;

		if (!copying && count_whole(group, pair) >= GROUP_COPIES) {
			rc = repair_settle(group, pair, dry_run);
			continue;
		}
		if (!copying && repair_count_there(group, pair) >= GROUP_COPIES) {
			rc = replace_lost(group, pair, dry_run);
			if (rc == RC_FAILURE || (!rc && dry_run))
				return rc;
			rc = RC_WARNING;
			continue;
		}
		rc = copying ? wait_for(path, NULL, dry_run) : approach(group, pair, &may_come_back, dry_run);
		if (!rc && dry_run)
			return rc;
		/* One that is lost while it is made: the next one may not be. */
		rc = rc ?: RC_WARNING;
	}
	return rc == RC_WARNING ? fail("group %s: %s lost its copy again and again", group->name, path) : rc;
}

static bool any_unused(const struct group *group)
{
	unsigned int pair;

	for (pair = 0; pair < member_pairs(group); pair++)
		if (!member_is_used(group, pair))
			return true;
	return false;
}

/*
 * A pair that a growth was to add, and that could not be started since: LVM changes nothing of a
 * group that misses disks.
 */
static int forget_missing(const struct group *group, bool dry_run)
{
	struct plan plan = { 0 };
	bool misses;

	if (lvm_misses_unused(group->name, &misses))
		return RC_FAILURE;
	if (!misses)
		return RC_OK;
	lvm_do(&plan, group->name, "vgreduce");
	plan_add_words(&plan, "--removemissing", group->name, NULL);
	return plan_carry_out(&plan, dry_run);
}

static int repair_one(struct group *group, unsigned int pair, bool dry_run)
{
	if (!member_is_used(group, pair))
		return sweep(group, pair, dry_run);
	if (group->copies == 1)
		return lone_repair(group, pair, dry_run);
	return repair_pair(group, pair, dry_run);
}

static int repair(const struct cli_args *args, struct group *group)
{
	bool dry_run = args->value[OPT_DRY_RUN];
	int rc = RC_OK, one;
	unsigned int pair;

	if (group_is_on(group))
		return RC_FAILURE;
	group->may_find = find_is_used(group);
	if (!dry_run && lender_connect(group))
		return RC_FAILURE;
	if (!dry_run) {
		member_take_back_orphans(group);
		member_make_missing(group);
	}
	if (any_unused(group))
		rc = forget_missing(group, dry_run);
	for (pair = member_pairs(group); pair-- && !stop_requested();) {
		one = repair_one(group, pair, dry_run);
		rc = rc ? rc : one;
	}
	if (stop_requested() && !rc)
		rc = fail("interrupted");
	if (dry_run)
		return rc;
	lender_let_go(group);
	group->size = lvm_bytes(group->name);
	return record_save(group) || rc ? RC_FAILURE : RC_OK;
}

/** group_repair() - farmemctl group repair NAME */
int group_repair(const struct cli_args *args)
{
	return group_run(args, repair);
}
