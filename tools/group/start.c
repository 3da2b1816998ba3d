// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembly.h"
#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "object.h"
#include "progress.h"
#include "../ctl/commands.h"

#define WAIT_SECONDS	60	/* for servers, unless told */
#define LOOK_SECONDS_MAX 8

static void examine(const struct group_chunk *chunk, struct array_trace *trace)
{
	CLEANUP_FREE char *disk = member_disk(chunk);

	*trace = (struct array_trace) { .sight = ARRAY_SIGHT_AWAY };
	if (member_is_in_state(chunk, "lost"))
		trace->sight = ARRAY_SIGHT_EMPTY;
	else if (disk && member_is_in_state(chunk, "live"))
		array_examine(disk, trace);
}

/*
 * Choose what a pair starts with, by its chunks' places in the record: @use, for free().
 * One that is no part of the device yet starts if it can: LVM may know it.
 */
static enum assembly choose(const struct group *group, unsigned int pair, bool force, bool **use)
{
	struct assembly_leg *legs = checked(calloc(group->chunk_count, sizeof(*legs)));
	bool used = member_is_used(group, pair);
	enum assembly found;
	size_t count = 0;

	EACH_LEG(chunk, group, pair) {
		legs[count].current = chunk->current || !used;
		examine(chunk, &legs[count++].trace);
	}
	found = assembly_choose(legs, count, group->clean, force);
	*use = checked(calloc(group->chunk_count, sizeof(**use)));
	count = 0;
	EACH_LEG(chunk, group, pair)
		(*use)[chunk - group->chunks] = legs[count++].use;
	free(legs);
	return found;
}

/*
 * Without a copy there is nothing to choose: LVM knows the chunk, or it came back empty.  In
 * the middle of a move there are two, of which LVM may have let go the old one.
 */
static enum assembly look_at_lone(const struct group *group, unsigned int pair)
{
	bool known = false;

	EACH_LEG(chunk, group, pair) {
		CLEANUP_FREE char *disk = member_disk(chunk);
		uint64_t bytes;
		bool has;

		if (!disk || !member_is_in_state(chunk, "live"))
			return member_is_in_state(chunk, "lost") ? ASSEMBLY_LOST : ASSEMBLY_UNSURE;
		if (lvm_has_member(group->name, disk, &has, &bytes))
			return ASSEMBLY_UNSURE;
		/* Its server may have gone just then. */
		if (!has && !member_is_in_state(chunk, "live"))
			return ASSEMBLY_UNSURE;
		known |= has;
	}
	return known ? ASSEMBLY_WHOLE : ASSEMBLY_LOST;
}

static enum assembly look_at(const struct group *group, unsigned int pair, bool force)
{
	enum assembly found;
	bool *use;

	if (!member_is_used(group, pair))
		return ASSEMBLY_WHOLE;
	if (group->copies == 1)
		return look_at_lone(group, pair);
	found = choose(group, pair, force, &use);
	free(use);
	return found;
}

static enum assembly look_at_all(const struct group *group, bool force)
{
	enum assembly worst = ASSEMBLY_WHOLE;
	unsigned int pair;

	for (pair = 0; pair < member_pairs(group); pair++) {
		enum assembly found = look_at(group, pair, force);

		worst = found > worst ? found : worst;
	}
	return worst;
}

static bool is_away(const struct group_chunk *chunk)
{
	return chunk->current && !member_is_in_state(chunk, "live") && !member_is_in_state(chunk, "lost");
}

static bool any_away(const struct group *group)
{
	EACH_CHUNK(chunk, group)
		if (is_away(chunk))
			return true;
	return false;
}

static void tell_missing(const struct group *group, unsigned int pair)
{
	bool copies = group->copies > 1;

	EACH_LEG(chunk, group, pair) {
		struct array_trace trace;

		examine(chunk, &trace);
		if (is_away(chunk))
			fprintf(stderr, "  volume %s is away, on server %s%s\n", chunk->volume, chunk->server,
				copies ? ": it may hold newer bytes" : "");
		else if (chunk->current && (!copies || trace.sight == ARRAY_SIGHT_EMPTY))
			fprintf(stderr, "  volume %s came back empty from server %s\n", chunk->volume, chunk->server);
		else if (chunk->current && trace.sight == ARRAY_SIGHT_AWAY)
			fprintf(stderr, "  volume %s, on server %s, can't be read\n", chunk->volume, chunk->server);
	}
}

static int refuse(const struct group *group, enum assembly worst)
{
	unsigned int pair;

	fail("group %s can't start", group->name);
	for (pair = 0; pair < member_pairs(group); pair++)
		if (look_at(group, pair, false) > ASSEMBLY_SOME)
			tell_missing(group, pair);
	if (group->copies > 1 && look_at_all(group, true) <= ASSEMBLY_SOME)
		return next_step("farmemctl group start %s --force    (goes on without: what was written last may be lost)",
				 group->name);
	if (worst < ASSEMBLY_LOST)
		return RC_FAILURE;
	next_step("farmemctl group delete %s    (bytes of it are lost)", group->name);
	return RC_LOST;
}

/* RC_OK when it can start: servers that are away are waited for. */
static int wait_ready(struct group *group, bool force, double seconds)
{
	long end = clock_ms() + (long)(seconds * 1000);
	enum assembly worst;
	double pause = 1;

	for (;;) {
		long left;

		lender_reach(group);
		member_make_missing(group);
		worst = look_at_all(group, false);
		left = end - clock_ms();
		if (worst == ASSEMBLY_WHOLE || left <= 0 || !any_away(group))
			break;
		progress_begin("group %s waits for its servers, %ld s at most", group->name, left / 1000 + 1);
		if (!stop_wait(-1, pause * 1000 < (double)left ? pause : (double)left / 1000)) {
			progress_end();
			return fail("interrupted");
		}
		progress_end();
		pause = pause < LOOK_SECONDS_MAX ? pause * 2 : pause;
	}
	if (worst > ASSEMBLY_SOME && force)
		worst = look_at_all(group, true);
	return worst <= ASSEMBLY_SOME ? RC_OK : refuse(group, worst);
}

/* What a pair starts without is not current from now on, whatever it says when it comes back. */
static void plan_pair(struct plan *plan, struct group *group, unsigned int pair, bool force)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	bool used = member_is_used(group, pair);
	bool *use = NULL;

	if (choose(group, pair, force && used, &use) <= ASSEMBLY_SOME) {
		plan_do(plan, "mdadm", "--assemble", path, "--quiet", "--config", MDADM_CONFIG, "--run", NULL);
		plan_undo(plan, "mdadm", "--quiet", "--stop", path, NULL);
		EACH_LEG(chunk, group, pair) {
			CLEANUP_FREE char *link = member_link(chunk);

			if (use[chunk - group->chunks])
				plan_add_word(plan, link);
			if (used)
				chunk->current = use[chunk - group->chunks];
		}
	}
	free(use);
}

/* md takes less than it was given, without a word: what it did not take may be the newest. */
static int check_assembly(const struct group *group)
{
	EACH_CHUNK(chunk, group) {
		enum array_leg leg = member_leg(chunk);

		if (chunk->current && member_exists(chunk) && member_is_used(group, chunk->pair) &&
		    (leg == ARRAY_LEG_NONE || leg == ARRAY_LEG_FAULTY))
			return fail("group %s: md did not take volume %s", group->name, chunk->volume);
	}
	return RC_OK;
}

/* Nothing is written before LVM makes the device, so the record comes in between. */
static int assemble(struct group *group, bool force)
{
	struct plan plan = { 0 };
	unsigned int pair;

	for (pair = 0; group->copies > 1 && pair < member_pairs(group); pair++)
		plan_pair(&plan, group, pair, force);
	if (plan_carry_out(&plan, false) || (group->copies > 1 && check_assembly(group)))
		return RC_FAILURE;
	group->clean = false;
	if (record_save(group))
		return RC_FAILURE;
	lvm_do(&plan, group->name, "vgchange");
	plan_add_words(&plan, "--activate=y", group->name, NULL);
	return plan_carry_out(&plan, false);
}

/*
 * A start that fails without a byte written leaves the record as it was.  Not so one by
 * force: md has written down that the pair goes on without what is away.
 */
static int assemble_or_restore(struct group *group, bool force)
{
	bool *current = checked(calloc(group->chunk_count, sizeof(*current)));
	bool clean = group->clean;
	int rc;

	EACH_CHUNK(chunk, group)
		current[chunk - group->chunks] = chunk->current;
	rc = assemble(group, force);
	if (rc && !force) {
		group->clean = clean;
		EACH_CHUNK(chunk, group)
			chunk->current = current[chunk - group->chunks];
		record_save(group);
	}
	free(current);
	return rc;
}

/* What a start that ended has left: of arrays only the superblocks count. */
static int stop_arrays(struct group *group)
{
	struct plan plan = { .regardless = true };
	unsigned int pair;

	for (pair = 0; group->copies > 1 && pair < member_pairs(group); pair++)
		member_stop_pair(&plan, group, pair);
	return plan_carry_out(&plan, false);
}

static void disconnect(struct group *group)
{
	struct plan plan = { .regardless = true };

	stop_arrays(group);
	member_disconnect(&plan, group);
	plan_carry_out(&plan, false);
	lender_let_go(group);
}

static int protect(struct group *group)
{
	unsigned int pair;
	int rc = RC_OK;

	for (pair = 0; group->copies > 1 && pair < member_pairs(group); pair++)
		if (member_is_used(group, pair) && copies_protect(group, pair))
			rc = RC_FAILURE;
	return rc ? next_step("farmemctl group repair %s", group->name) : RC_OK;
}

static int start(const struct cli_args *args, struct group *group)
{
	bool force = args->value[OPT_FORCE];
	CLEANUP_FREE char *node = NULL;
	double seconds = WAIT_SECONDS;
	int rc = RC_OK;

	if (args->value[OPT_WAIT])
		rc = cli_number(args, OPT_WAIT, 0, 86400 * 365.0, &seconds);
	if (!rc && !group->made)
		rc = group_is_on(group);
	node = rc ? NULL : lvm_node(group->name);
	if (rc || node)
		return rc ? rc : protect(group);
	rc = stop_arrays(group);
	if (!rc)
		rc = wait_ready(group, force, seconds);
	if (!rc)
		rc = assemble_or_restore(group, force);
	if (rc)
		disconnect(group);
	return rc ? rc : protect(group);
}

/** group_start() - farmemctl group start NAME [--timeout SECONDS] [--force] */
int group_start(const struct cli_args *args)
{
	return group_run(args, start);
}
