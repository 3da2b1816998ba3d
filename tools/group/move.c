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

static struct group_chunk *other_of(const struct group *group, const struct group_chunk *chunk)
{
	EACH_LEG(other, group, chunk->pair)
		if (other != chunk)
			return other;
	return NULL;
}

/* RC_WARNING: chunks of other pairs may go. */
static int refuse_pair(const struct group *group, const struct group_chunk *chunk)
{
	fail("group %s: the pair of volume %s is not live", group->name, chunk->volume);
	next_step("farmemctl group repair %s", group->name);
	return RC_WARNING;
}

/* Could it go to another server? */
static bool has_place(struct group *group, const struct group_chunk *chunk, bool any)
{
	struct group_server *server = find_server(group, chunk->size, other_of(group, chunk), chunk->server, any);

	/* It is only looked for. */
	if (server)
		lender_give(server, chunk->size);
	return server;
}

/* RC_WARNING: another chunk may find one. */
static int refuse_place(const struct group *group, const struct group_chunk *chunk, const struct group_chunk *other)
{
	lender_refuse(group, chunk->size, other, chunk->server);
	return RC_WARNING;
}

/* One chunk to another server, @address or any.  RC_WARNING: no server has room for it. */
static int move_chunk(struct group *group, struct group_chunk *chunk, const char *address, bool dry_run)
{
	struct group_server *to = address ? record_server(group, address) : NULL;
	struct group_chunk *other = other_of(group, chunk);
	CLEANUP_FREE char *old = text_copy(chunk->volume);
	CLEANUP_FREE char *new = NULL;
	unsigned int pair = chunk->pair;
	int rc;

	if (group->copies > 1 && member_state(group, pair) != MEMBER_LIVE)
		return refuse_pair(group, chunk);
	if (!to)
		to = find_server(group, chunk->size, other, chunk->server, false);
	else if (other && !strcmp(to->domain, record_server(group, other->server)->domain))
		return fail("group %s: volume %s can't go to %s: its other copy is in failure domain %s as well",
			    group->name, chunk->volume, to->address, to->domain);
	if (!to)
		return refuse_place(group, chunk, other);
	chunk = record_add_chunk(group, to->address, pair, chunk->size);
	chunk->current = group->copies > 1;
	new = text_copy(chunk->volume);
	if (!dry_run && record_save(group))
		return RC_FAILURE;
	if (group->copies == 1)
		rc = lone_repair(group, pair, dry_run);
	else
		rc = pair_replace(group, pair, old, new, dry_run);
	if (dry_run)
		return rc;
	if (!rc && group->copies > 1 && !pair_repair(group, pair, false))
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

/*
 * A server wants memory back, and it is urgent: the copy there goes, and a new one is made of the
 * other, if need be outside its sets.  Not so where no server has room for that.
 */
static int give_up(struct group *group, struct group_chunk *chunk, bool dry_run)
{
	struct group_chunk *other = other_of(group, chunk);
	CLEANUP_FREE char *path = array_path(group->name, chunk->pair);
	CLEANUP_FREE char *link = member_link(chunk);
	CLEANUP_FREE char *volume = text_copy(chunk->volume);
	unsigned int pair = chunk->pair;
	struct plan plan = { 0 };

	if (member_state(group, pair) != MEMBER_LIVE)
		return refuse_pair(group, chunk);
	if (!has_place(group, chunk, true))
		return refuse_place(group, chunk, other);
	chunk->current = false;
	if (!dry_run && record_save(group))
		return RC_FAILURE;
	copies_untie(&plan, chunk);
	plan_do(&plan, "mdadm", "--quiet", path, "--fail", link, "--remove", link, NULL);
	member_drop_chunk(&plan, chunk);
	if (dry_run)
		plan_do(&plan, "farmemctl", "group", "repair", group->name, NULL);
	if (plan_carry_out(&plan, dry_run))
		return next_step("farmemctl group repair %s    (goes on)", group->name);
	if (dry_run)
		return RC_OK;
	record_drop_chunk(group, volume);
	if (record_save(group) || pair_repair(group, pair, false))
		return next_step("farmemctl group repair %s    (goes on)", group->name);
	return RC_OK;
}

/* What is to leave a server: all, or as much as the server wants back. */
struct leaving {
	const char *from;
	const char *to;		/* NULL: wherever there is room */
	uint64_t bytes;
	bool asked;			/* by the server, which may have enough meanwhile */
};

static struct group_chunk *find_on(const struct group *group, const char *server)
{
	EACH_CHUNK(chunk, group)
		if (chunk->current && !chunk->stays && !strcmp(chunk->server, server))
			return chunk;
	return NULL;
}

/* With copies a chunk goes at once then, and its copy is made anew. */
static bool is_urgent(const struct group *group, const struct leaving *leaving)
{
	double within = 0;

	return leaving->asked && group->copies > 1 && lender_wanted(leaving->from, &within) && within <= 0;
}

static int leave(struct group *group, struct group_chunk *chunk, struct leaving *leaving, bool dry_run)
{
	CLEANUP_FREE char *volume = text_copy(chunk->volume);
	uint64_t size = chunk->size;
	double within = 0;
	int rc;

	if (stop_requested())
		return fail("interrupted");
	if (leaving->asked && !lender_wanted(leaving->from, &within)) {
		leaving->bytes = 0;
		return RC_OK;
	}
	if (is_urgent(group, leaving))
		rc = give_up(group, chunk, dry_run);
	else
		rc = move_chunk(group, chunk, leaving->to, dry_run);
	if (rc == RC_WARNING && record_chunk(group, volume))
		record_chunk(group, volume)->stays = true;
	else
		leaving->bytes -= size < leaving->bytes ? size : leaving->bytes;
	return rc;
}

/* What one chunk lacks room for may find it for another one. */
static int leave_all(struct group *group, struct leaving *leaving, bool dry_run)
{
	size_t i, count = group->chunk_count;
	struct group_chunk *chunk;
	int rc = RC_OK, worst = RC_OK;

	/* Of what is given up the new copy lies elsewhere. */
	record_server(group, leaving->from)->free = 0;
	while (!dry_run && rc != RC_FAILURE && leaving->bytes && (chunk = find_on(group, leaving->from))) {
		/* It was said of another one. */
		if (worst && !has_place(group, chunk, is_urgent(group, leaving))) {
			chunk->stays = true;
			continue;
		}
		rc = leave(group, chunk, leaving, false);
		worst = worst ? worst : rc;
	}
	for (i = 0; dry_run && rc != RC_FAILURE && leaving->bytes && i < count; i++)
		if (group->chunks[i].current && !strcmp(group->chunks[i].server, leaving->from)) {
			rc = leave(group, &group->chunks[i], leaving, true);
			worst = worst ? worst : rc;
		}
	return worst || rc ? RC_FAILURE : RC_OK;
}

/* What servers want back of this node is for all its groups: others may have the rest. */
static int leave_wanted(struct group *group, bool dry_run)
{
	size_t i, count = group->server_count, orphans = group->orphan_count;
	int rc = RC_OK, one;

	/* What the group has no use for goes first; what they want then they tell in a moment. */
	if (!dry_run)
		member_take_back_orphans(group);
	if (group->orphan_count < orphans)
		return RC_OK;
	for (i = 0; i < count && !stop_requested(); i++) {
		CLEANUP_FREE char *from = text_copy(group->servers[i].address);
		struct leaving leaving = { .from = from, .asked = true };
		double within;

		leaving.bytes = lender_wanted(from, &within);
		if (!leaving.bytes)
			continue;
		one = leave_all(group, &leaving, dry_run);
		rc = rc ? rc : one;
	}
	return rc;
}

/* The servers of --from and --to. */
static int read_servers(const struct cli_args *args, struct group *group, char **from, char **to)
{
	int rc = args->value[OPT_LENDER] ? lender_add(args, group) : RC_OK;

	if (!rc && !args->value[OPT_FROM] == !args->value[OPT_WANTED])
		rc = misuse(args->title, "it needs --from or --wanted, and not both");
	if (!rc && args->value[OPT_TO] && args->value[OPT_WANTED])
		rc = misuse(args->title, "--to goes with --from");
	if (!rc && args->value[OPT_FROM])
		rc = address_canonical(args->title, args->value[OPT_FROM], from);
	if (!rc && args->value[OPT_TO])
		rc = address_canonical(args->title, args->value[OPT_TO], to);
	if (!rc && *from && !record_server(group, *from))
		rc = misuse(args->title, "--from %s: the group does not use that server", *from);
	if (!rc && *to && !record_server(group, *to))
		rc = misuse(args->title, "--to %s: the group does not know that server; --server ADDR[@DOMAIN] adds it", *to);
	if (!rc && *to && record_server(group, *to)->drained)
		rc = misuse(args->title, "--to %s: that server is drained; --server %s uses it again", *to, *to);
	if (!rc && *to && !strcmp(*from, *to))
		rc = misuse(args->title, "--from and --to are one server");
	return rc;
}

/* A command that names servers is to use these. */
static int reach(const struct cli_args *args, struct group *group)
{
	group->may_find = record_has_found_servers(group) && !args->value[OPT_LENDER];
	return args->value[OPT_DRY_RUN] ? RC_OK : lender_connect(group);
}

static int move(const struct cli_args *args, struct group *group)
{
	bool dry_run = args->value[OPT_DRY_RUN];
	CLEANUP_FREE char *from = NULL;
	CLEANUP_FREE char *to = NULL;
	int rc;

	rc = read_servers(args, group, &from, &to);
	if (!rc)
		rc = group_is_whole(group);
	if (!rc)
		rc = reach(args, group);
	if (!rc && from) {
		struct leaving leaving = { from, to, UINT64_MAX, false };

		rc = leave_all(group, &leaving, dry_run);
	} else if (!rc) {
		rc = leave_wanted(group, dry_run);
	}
	if (!dry_run)
		lender_let_go(group);
	return rc;
}

/** group_move() - farmemctl group move NAME --from ADDR [--to ADDR] | --wanted */
int group_move(const struct cli_args *args)
{
	return group_run(args, move);
}

/* The server gets no chunk of the group any more, even if the move fails. */
static int drain(const struct cli_args *args, struct group *group)
{
	struct group_server *left = record_server(group, args->value[OPT_FROM]);

	if (!left)
		return RC_OK;
	left->drained = true;
	return !args->value[OPT_DRY_RUN] && record_save(group) ? RC_FAILURE : move(args, group);
}

/** group_drain() - farmemctl group drain ADDR */
int group_drain(const struct cli_args *args)
{
	struct cli_args one = *args;
	CLEANUP_FREE char *server = NULL;
	int rc = address_canonical(args->title, args->name, &server);

	if (rc)
		return rc;
	one.value[OPT_FROM] = server;
	EACH_NAME(name, record_names()) {
		int failed;

		one.name = *name.at;
		failed = group_run(&one, drain);
		rc = rc ? rc : failed;
	}
	if (!rc && !args->value[OPT_DRY_RUN])
		printf("No group of this node uses %s any more\n", server);
	return rc;
}
