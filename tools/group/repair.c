// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "../ctl/commands.h"

/** repair_is_needed() - does a group lack copies, or has an ended command left chunks? */
bool repair_is_needed(const struct group *group)
{
	unsigned int pair;

	EACH_CHUNK(chunk, group)
		if (!chunk->current)
			return true;
	for (pair = 0; group->copies > 1 && pair < member_pairs(group); pair++)
		if (!copies_are_settled(group, pair))
			return true;
	return member_is_impatient(group) || lvm_is_suspended(group->name);
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
	return pair_repair(group, pair, dry_run);
}

/* After a "group stop --force" that was refused. */
static int be_patient(struct group *group, bool dry_run)
{
	struct plan plan = { 0 };
	unsigned int pair;
	int rc;

	if (!member_is_impatient(group))
		return RC_OK;
	member_begin_waits(&plan, group);
	rc = plan_carry_out(&plan, dry_run);
	for (pair = 0; !rc && !dry_run && group->copies > 1 && pair < member_pairs(group); pair++)
		if (member_is_used(group, pair))
			rc = copies_protect(group, pair);
	return rc;
}

static int repair(const struct cli_args *args, struct group *group)
{
	bool dry_run = args->value[OPT_DRY_RUN];
	int rc, one;
	unsigned int pair;

	/* What holds its I/O back is not to wait for servers. */
	if (group_is_on(group) || (lvm_is_suspended(group->name) && lvm_catch_up(group->name, dry_run)))
		return RC_FAILURE;
	group->may_find = record_has_found_servers(group);
	if (!dry_run && lender_connect(group))
		return RC_FAILURE;
	if (!dry_run) {
		member_take_back_orphans(group);
		member_make_missing(group);
	}
	rc = be_patient(group, dry_run);
	if (!rc && any_unused(group))
		rc = forget_missing(group, dry_run);
	for (pair = member_pairs(group); pair-- && !stop_requested();) {
		one = repair_one(group, pair, dry_run);
		rc = rc ? rc : one;
	}
	if (stop_requested() && !rc)
		rc = fail("interrupted");
	/* It waits for what is under way. */
	if (!rc && !lvm_is_suspended(group->name))
		rc = lvm_catch_up(group->name, dry_run);
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
