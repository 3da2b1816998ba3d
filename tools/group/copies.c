// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <string.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "../ctl/commands.h"

/** copies_find() - the first chunk of a pair that its array has so, or NULL */
struct group_chunk *copies_find(const struct group *group, unsigned int pair, enum array_leg leg)
{
	EACH_LEG(chunk, group, pair)
		if (member_leg(chunk) == leg)
			return chunk;
	return NULL;
}

/** copies_is_there() - md reads a chunk, and it can be reached; it may have lost bytes */
bool copies_is_there(const struct group_chunk *chunk)
{
	return member_leg(chunk) >= ARRAY_LEG_IN_SYNC && member_is_in_state(chunk, "live");
}

/** copies_is_whole() - a chunk holds all bytes, and they can be reached */
bool copies_is_whole(const struct group_chunk *chunk)
{
	return member_leg(chunk) == ARRAY_LEG_IN_SYNC && member_is_in_state(chunk, "live");
}

/** copies_find_whole() - a chunk of a pair with all bytes, or NULL */
struct group_chunk *copies_find_whole(const struct group *group, unsigned int pair)
{
	EACH_LEG(chunk, group, pair)
		if (copies_is_whole(chunk))
			return chunk;
	return NULL;
}

/** copies_count_whole() - chunks of a pair that hold all bytes */
unsigned int copies_count_whole(const struct group *group, unsigned int pair)
{
	unsigned int count = 0;

	EACH_LEG(chunk, group, pair)
		count += copies_is_whole(chunk);
	return count;
}

/** copies_count_there() - chunks of a pair that md reads, and that can be reached */
unsigned int copies_count_there(const struct group *group, unsigned int pair)
{
	unsigned int count = 0;

	EACH_LEG(chunk, group, pair)
		count += copies_is_there(chunk);
	return count;
}

static bool is_tied(const struct group_chunk *chunk, const struct group_chunk *partner)
{
	CLEANUP_FREE char *now = object_get(VOLUMES, chunk->volume, "partner");
	CLEANUP_FREE char *stale = object_get(VOLUMES, chunk->volume, "stale");

	return now && !strcmp(now, partner->volume) && stale && !strcmp(stale, "0");
}

/** copies_are_settled() - a pair has two whole chunks that know of each other, and no other chunk */
bool copies_are_settled(const struct group *group, unsigned int pair)
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

/**
 * copies_wait() - wait until md has filled a chunk
 * @path: of the array
 * @volume: the chunk's; NULL: wait until nothing is copied
 *
 * Return: RC_OK; RC_FAILURE: interrupted, or it goes on when a server is back; RC_WARNING: it
 * failed, and another chunk may do.
 */
int copies_wait(const char *path, const char *volume, bool dry_run)
{
	struct plan plan = { 0 };
	int rc;

	plan_wait(&plan, &(struct array_goal) { .path = (char *)path, .volume = (char *)volume });
	rc = plan_carry_out(&plan, dry_run);
	return rc && !stop_requested() && !array_stands_still(path) ? RC_WARNING : rc;
}

/** copies_take_out() - the commands by which what an array has thrown out, or never came to use, leaves it */
void copies_take_out(struct plan *plan, const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);

	if (copies_find(group, pair, ARRAY_LEG_FAULTY))
		plan_do(plan, "mdadm", "--quiet", path, "--remove", "failed", NULL);
	EACH_LEG(chunk, group, pair) {
		CLEANUP_FREE char *link = member_link(chunk);

		if (member_leg(chunk) == ARRAY_LEG_SPARE)
			plan_do(plan, "mdadm", "--quiet", path, "--remove", link, NULL);
	}
}

/** copies_untie() - from now on the last chunk that holds all bytes does not count on this one */
void copies_untie(struct plan *plan, const struct group_chunk *chunk)
{
	CLEANUP_FREE char *partner = object_get(VOLUMES, chunk->volume, "partner");

	if (member_exists(chunk) && partner && *partner)
		plan_do(plan, "farmemctl", "volume", "set", chunk->volume, "--partner", "", NULL);
}

/** copies_remove() - the same for what the array has not missed yet, for want of I/O, as well */
void copies_remove(struct plan *plan, const struct group *group, unsigned int pair)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);

	EACH_LEG(chunk, group, pair)
		if (!copies_is_there(chunk))
			copies_untie(plan, chunk);
	copies_take_out(plan, group, pair);
	EACH_LEG(chunk, group, pair) {
		CLEANUP_FREE char *link = member_link(chunk);

		if (member_leg(chunk) >= ARRAY_LEG_IN_SYNC && !copies_is_there(chunk))
			plan_do(plan, "mdadm", "--quiet", path, "--fail", link, "--remove", link, NULL);
	}
}

/**
 * copies_keep() - two chunks stay, and all else that a pair has had goes
 * @kept: the two; the record says so before any other one goes
 *
 * Return: RC_OK or RC_FAILURE.
 */
int copies_keep(struct group *group, unsigned int pair, struct group_chunk *const *kept, bool dry_run)
{
	struct plan plan = { 0 };

	EACH_LEG(chunk, group, pair) {
		chunk->current = chunk == kept[0] || chunk == kept[1];
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
 * copies_settle() - both copies of a pair are whole: tie them, and let go what else it has had
 *
 * Return: RC_OK, RC_FAILURE, or RC_WARNING: one of them was lost meanwhile.
 */
int copies_settle(struct group *group, unsigned int pair, bool dry_run)
{
	struct group_chunk *whole[GROUP_COPIES];
	struct plan plan = { 0 };
	size_t count = 0;

	EACH_LEG(chunk, group, pair)
		if (copies_is_whole(chunk) && count < GROUP_COPIES)
			whole[count++] = chunk;
	if (count < GROUP_COPIES)
		return RC_WARNING;
	copies_remove(&plan, group, pair);
	if (!is_tied(whole[0], whole[1]) || !is_tied(whole[1], whole[0]))
		member_tie(&plan, whole[0], whole[1]);
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	if (dry_run || (copies_is_whole(whole[0]) && copies_is_whole(whole[1])))
		return copies_keep(group, pair, whole, dry_run);
	EACH_LEG(chunk, group, pair)
		copies_untie(&plan, chunk);
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
 * copies_protect() - what a pair has just been started with does not fail for a server's restart
 *
 * Return: RC_OK, or RC_FAILURE: a command failed.
 */
int copies_protect(struct group *group, unsigned int pair)
{
	struct group_chunk *in_sync[GROUP_COPIES];
	struct plan plan = { 0 };
	size_t count = 0;

	EACH_LEG(chunk, group, pair)
		if (member_leg(chunk) == ARRAY_LEG_IN_SYNC && count < GROUP_COPIES)
			in_sync[count++] = chunk;
	if (count == GROUP_COPIES && member_state(group, pair) != MEMBER_COPYING)
		return copies_settle(group, pair, false) == RC_FAILURE ? RC_FAILURE : RC_OK;
	if (count == GROUP_COPIES)
		member_tie(&plan, in_sync[0], in_sync[1]);
	else if (count)
		plan_hold(&plan, group, in_sync[0]);
	return plan_carry_out(&plan, false);
}
