// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "../ctl/commands.h"

/* A chunk of a group without copies gets a second one while it moves; this is the old one. */
static struct group_chunk *find_lone(const struct group *group, unsigned int pair, bool current)
{
	EACH_LEG(chunk, group, pair)
		if (chunk->current == current)
			return chunk;
	return NULL;
}

/**
 * lone_repair() - go on with the move of a chunk that has no copy, from wherever it ended
 *
 * Without one under way there is nothing to do.  Nothing is taken back: the new chunk may
 * hold bytes from the moment on when LVM knows it.
 * Return: RC_OK or RC_FAILURE.
 */
int lone_repair(struct group *group, unsigned int pair, bool dry_run)
{
	struct group_chunk *old = find_lone(group, pair, true), *new = find_lone(group, pair, false);
	CLEANUP_FREE char *from = old ? member_link(old) : NULL;
	CLEANUP_FREE char *to = new ? member_link(new) : NULL;
	CLEANUP_FREE char *old_disk = old ? member_disk(old) : NULL;
	CLEANUP_FREE char *new_disk = NULL;
	struct plan plan = { 0 };
	uint64_t used, unused;
	bool has_old, has_new = false;

	if (!old || !new)
		return RC_OK;
	if (!old_disk)
		return fail("group %s: volume %s is off", group->name, old->volume);
	member_make_chunk(&plan, group, new, NULL);
	plan_add_word(&plan, "--if-absent");
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	new_disk = member_disk(new);
	if (lvm_has_member(group->name, old_disk, &has_old, &used) ||
	    (new_disk && lvm_has_member(group->name, new_disk, &has_new, &unused)))
		return RC_FAILURE;
	if (!has_new) {
		/* An ended vgextend leaves its label there, and the next one then takes it for another's. */
		plan_do(&plan, "wipefs", "--quiet", "--all", "--types=LVM2_member", to, NULL);
		lvm_do(&plan, group->name, "vgextend");
		plan_add_words(&plan, group->name, to, NULL);
	}
	if (has_old && used) {
		lvm_do(&plan, group->name, "pvmove");
		plan_add_words(&plan, "--interval=1", from, to, NULL);
	}
	if (has_old) {
		lvm_do(&plan, group->name, "vgreduce");
		plan_add_words(&plan, group->name, from, NULL);
	}
	if (plan_carry_out(&plan, dry_run))
		return RC_FAILURE;
	if (!dry_run) {
		new->current = true;
		old->current = false;
		if (record_save(group))
			return RC_FAILURE;
	}
	member_drop_chunk(&plan, old);
	if (plan_carry_out(&plan, dry_run) || dry_run)
		return dry_run ? RC_OK : RC_FAILURE;
	record_drop_chunk(group, old->volume);
	return record_save(group);
}
