// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "object.h"
#include "parse.h"
#include "../ctl/commands.h"

/* A new chunk takes the place of one whose pair goes on with both until then. */
static int replace(struct group *group, unsigned int pair, const char *old, const char *new, bool dry_run)
{
	CLEANUP_FREE char *path = array_path(group->name, pair);
	CLEANUP_FREE char *from = member_link(record_chunk(group, old));
	CLEANUP_FREE char *to = member_link(record_chunk(group, new));
	struct plan plan = { 0 };
	int rc;

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
			if (strcmp(chunk->volume, old) && strcmp(chunk->volume, new))
				member_tie(&plan, record_chunk(group, new), chunk);
		member_drop_chunk(&plan, record_chunk(group, old));
	}
	return plan_carry_out(&plan, dry_run);
}

static struct group_chunk *other_of(const struct group *group, const struct group_chunk *chunk)
{
	EACH_LEG(other, group, chunk->pair)
		if (other != chunk)
			return other;
	return NULL;
}

/* One chunk to another server, @to or any. */
static int move_chunk(struct group *group, struct group_chunk *chunk, struct group_server *to, bool dry_run)
{
	struct group_chunk *other = other_of(group, chunk);
	CLEANUP_FREE char *old = text_copy(chunk->volume);
	CLEANUP_FREE char *new = NULL;
	unsigned int pair = chunk->pair;
	int rc;

	if (group->copies > 1 && member_state(group, pair) != MEMBER_LIVE) {
		fail("group %s: the pair of volume %s is not live", group->name, chunk->volume);
		return next_step("farmemctl group repair %s", group->name);
	}
	if (!to)
		to = lender_choose(group, chunk->size, other, chunk->server);
	else if (other && !strcmp(to->domain, record_server(group, other->server)->domain))
		return fail("group %s: volume %s can't go to %s: its other copy is in failure domain %s as well",
			    group->name, chunk->volume, to->address, to->domain);
	if (!to)
		return lender_refuse(group, chunk->size, other, chunk->server);
	chunk = record_add_chunk(group, to->address, pair, chunk->size);
	chunk->current = group->copies > 1;
	new = text_copy(chunk->volume);
	if (!dry_run && record_save(group))
		return RC_FAILURE;
	if (group->copies == 1)
		rc = repair_lone(group, pair, dry_run);
	else
		rc = replace(group, pair, old, new, dry_run);
	if (dry_run)
		return rc;
	if (!rc && group->copies > 1 && !repair_pair(group, pair, false))
		return RC_OK;
	if (!rc && group->copies > 1)
		return next_step("farmemctl group repair %s    (goes on)", group->name);
	if (rc && !member_exists(record_chunk(group, new))) {
		record_drop_chunk(group, new);
		record_save(group);
	} else if (rc) {
		next_step("farmemctl group repair %s    (goes on)", group->name);
	}
	return rc;
}

static struct group_chunk *find_on(const struct group *group, const char *server)
{
	EACH_CHUNK(chunk, group)
		if (chunk->current && !strcmp(chunk->server, server))
			return chunk;
	return NULL;
}

static int move_all(struct group *group, const char *from, struct group_server *to, bool dry_run)
{
	struct group_chunk *chunk;
	size_t i;
	int rc = RC_OK;

	if (!dry_run)
		while (!rc && (chunk = find_on(group, from)))
			rc = stop_requested() ? fail("interrupted") : move_chunk(group, chunk, to, false);
	for (i = 0; dry_run && !rc && i < group->chunk_count; i++)
		if (group->chunks[i].current && !strcmp(group->chunks[i].server, from))
			rc = move_chunk(group, &group->chunks[i], to, true);
	return rc;
}

static int move(const struct cli_args *args, struct group *group)
{
	bool dry_run = args->value[OPT_DRY_RUN];
	CLEANUP_FREE char *from = NULL;
	CLEANUP_FREE char *to = NULL;
	int rc;

	rc = args->value[OPT_LENDER] ? lender_add(args, group) : RC_OK;
	if (!rc)
		rc = address_canonical(args->title, args->value[OPT_FROM], &from);
	if (!rc && args->value[OPT_TO])
		rc = address_canonical(args->title, args->value[OPT_TO], &to);
	if (!rc && !record_server(group, from))
		rc = misuse(args->title, "--from %s: the group does not use that server", from);
	if (!rc && to && !record_server(group, to))
		rc = misuse(args->title, "--to %s: the group does not know that server; --server ADDR[@DOMAIN] adds it", to);
	if (!rc && to && !strcmp(from, to))
		rc = misuse(args->title, "--from and --to are one server");
	if (!rc)
		rc = group_is_whole(group);
	if (!rc && !dry_run)
		rc = lender_connect(group);
	if (!rc)
		rc = move_all(group, from, to ? record_server(group, to) : NULL, dry_run);
	if (!dry_run)
		lender_let_go(group);
	return rc;
}

/** group_move() - farmemctl group move NAME --from ADDR [--to ADDR] */
int group_move(const struct cli_args *args)
{
	return group_run(args, move);
}

/* The server gets no chunk of the group any more, even if the move fails. */
static int drain(const struct cli_args *args, struct group *group, const char *server)
{
	bool dry_run = args->value[OPT_DRY_RUN];
	struct group_server *left = record_server(group, server);
	int rc;

	if (!left)
		return RC_OK;
	left->drained = true;
	rc = dry_run ? RC_OK : record_save(group);
	if (!rc)
		rc = group_is_whole(group);
	if (!rc && !dry_run)
		rc = lender_connect(group);
	if (!rc)
		rc = move_all(group, server, NULL, dry_run);
	if (!dry_run)
		lender_let_go(group);
	return rc;
}

static int drain_named(const struct cli_args *args, const char *name, const char *server)
{
	struct group group = { 0 };
	int rc = lock_take("groups", name) || record_load(name, &group) || lvm_prepare(&group) ?
			 RC_FAILURE : RC_OK;

	if (!rc)
		rc = drain(args, &group, server);
	record_free(&group);
	return rc;
}

/** group_drain() - farmemctl group drain ADDR */
int group_drain(const struct cli_args *args)
{
	CLEANUP_FREE char *server = NULL;
	int rc = address_canonical(args->title, args->name, &server);

	if (rc)
		return rc;
	if (module_check())
		return RC_FAILURE;
	command_path();
	stop_catch();
	EACH_NAME(name, record_names()) {
		int one = drain_named(args, *name.at, server);

		rc = rc ? rc : one;
	}
	if (!rc && !args->value[OPT_DRY_RUN])
		printf("No group of this node uses %s any more\n", server);
	return rc;
}
