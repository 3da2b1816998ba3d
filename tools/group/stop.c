// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "../ctl/commands.h"

/* How long --force waits for servers before it fails what waits for them. */
#define FORCE_LOOKS	10
#define LOOK_SECONDS	1

/*
 * Nothing is written any more: what md says now is true as long as the device is off.  A pair
 * of which no chunk can be reached says nothing, and one that copies does not know yet.
 */
static void note_current(struct group *group)
{
	unsigned int pair;

	group->clean = true;
	for (pair = 0; pair < member_pairs(group); pair++) {
		bool whole = false;

		if (!member_is_used(group, pair))
			continue;
		if (!copies_count_there(group, pair) || member_state(group, pair) == MEMBER_COPYING) {
			group->clean = false;
			continue;
		}
		EACH_LEG(chunk, group, pair)
			whole |= member_leg(chunk) == ARRAY_LEG_IN_SYNC;
		EACH_LEG(chunk, group, pair)
			chunk->current = member_leg(chunk) == (whole ? ARRAY_LEG_IN_SYNC : ARRAY_LEG_LOST);
	}
}

/*
 * Its device is on, or was taken down by LVM itself, as blkdeactivate(8) does.  Then all that
 * is current is in its array: one that lacks some may be what an ended start has left.
 */
static bool is_on(const struct group *group, const char *node)
{
	EACH_CHUNK(chunk, group)
		if (!node && chunk->current && member_leg(chunk) != ARRAY_LEG_IN_SYNC)
			return false;
	return node || !group->clean;
}

/* A chunk that waits: no copy of it can be reached, so what programs have written may not be there. */
static struct group_chunk *find_away(const struct group *group)
{
	EACH_CHUNK(chunk, group) {
		bool there = group->copies > 1 ? copies_count_there(group, chunk->pair) : member_is_in_state(chunk, "live");

		if (!there && member_is_used(group, chunk->pair))
			return chunk;
	}
	return NULL;
}

/* A server that is away for a moment costs nothing. */
static struct group_chunk *wait_for_servers(const struct group *group)
{
	struct group_chunk *away;
	unsigned int looks = 0;

	while ((away = find_away(group)) && looks++ < FORCE_LOOKS && stop_wait(-1, LOOK_SECONDS))
		;
	return away;
}

static int refuse_away(const struct group *group, const struct group_chunk *away)
{
	fail("group %s: volume %s waits for server %s", group->name, away->volume, away->server);
	return next_step("farmemctl group stop %s --force    (what it has not written yet is lost)", group->name);
}

static int end_waits(const struct group *group, bool dry_run)
{
	struct plan plan = { 0 };

	member_end_waits(&plan, group);
	return plan_carry_out(&plan, dry_run);
}

static int switch_off(struct group *group, bool dry_run)
{
	struct plan plan = { 0 };

	lvm_do(&plan, group->name, "vgchange");
	plan_add_words(&plan, "--activate=n", group->name, NULL);
	return plan_carry_out(&plan, dry_run);
}

/* The record follows when no array runs any more: one that goes on may lose another chunk. */
static int stop_arrays(struct group *group, bool was_on, bool dry_run)
{
	struct plan plan = { 0 };
	unsigned int pair;

	if (was_on && !dry_run)
		note_current(group);
	for (pair = 0; pair < member_pairs(group); pair++)
		member_stop_pair(&plan, group, pair);
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	return was_on && !dry_run ? record_save(group) : RC_OK;
}

static int stop(const struct cli_args *args, struct group *group)
{
	CLEANUP_FREE char *node = lvm_node(group->name);
	bool force = args->value[OPT_FORCE], dry_run = args->value[OPT_DRY_RUN];
	const struct group_chunk *away = !node ? NULL : force && !dry_run ? wait_for_servers(group) : find_away(group);
	struct plan plan = { 0 };
	int rc = RC_OK;

	/* What holds the device may be waiting itself, as swapoff(8) and umount(8) do. */
	if (force && away)
		rc = end_waits(group, dry_run);
	if (!rc && node && (holder_refuse(node) || (!force && away && refuse_away(group, away))))
		return RC_FAILURE;
	if (!rc && force && !away)
		rc = end_waits(group, dry_run);
	if (!rc && node)
		rc = switch_off(group, dry_run);
	if (!rc && group->copies > 1)
		rc = stop_arrays(group, is_on(group, node), dry_run);
	if (rc)
		return rc;
	member_disconnect(&plan, group);
	rc = plan_carry_out(&plan, dry_run);
	if (!dry_run)
		lender_let_go(group);
	return rc;
}

/** group_stop() - farmemctl group stop NAME [--force] */
int group_stop(const struct cli_args *args)
{
	return group_run(args, stop);
}
