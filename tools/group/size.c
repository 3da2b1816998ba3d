// SPDX-License-Identifier: GPL-2.0
#include "group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "attr.h"
#include "cli.h"
#include "lvm.h"
#include "object.h"
#include "size.h"
#include "../ctl/commands.h"

#define CHUNK_DEFAULT	(2ull << 30)
#define CHUNK_MIN	(16ull << 20)

/* Options that the chunks' volumes get as they are. */
static const struct {
	enum cli_option_id id;
	const char *name;
} passed[] = {
	{ OPT_CLIENT, "client" },
	{ OPT_KEY, "key" },
	{ OPT_SOURCE, "source" },
	{ OPT_QUEUES, "queues" },
	{ OPT_HEARTBEAT, "heartbeat" },
	{ OPT_PEER_TIMEOUT, "peer-timeout" },
	{ OPT_CHECKSUM, "checksum" },
};

static int parse_bytes(const struct cli_args *args, enum cli_option_id id, const char *option,
		       uint64_t min, uint64_t *bytes)
{
	if (size_parse(args->value[id], bytes) || *bytes < min || *bytes > INT64_MAX / 2)
		return misuse(args->title, "--%s %s: expected a size from %" PRIu64 "M on, as in 4G (binary units)",
			      option, args->value[id], min >> 20);
	*bytes = (*bytes + LVM_EXTENT - 1) / LVM_EXTENT * LVM_EXTENT;
	return RC_OK;
}

/* What the command line says goes into the record. */
static int describe(const struct cli_args *args, struct group *group)
{
	const char *copies = args->value[OPT_COPIES];
	size_t i;
	int rc;

	*group = (struct group) { .name = text_copy(args->name), .chunk = CHUNK_DEFAULT, .copies = 1, .next = 1 };
	rc = record_check_name(args->title, args->name);
	if (!rc)
		rc = parse_bytes(args, OPT_SIZE, "size", CHUNK_MIN, &group->size);
	if (!rc && args->value[OPT_CHUNK])
		rc = parse_bytes(args, OPT_CHUNK, "chunk", CHUNK_MIN, &group->chunk);
	if (!rc && copies && strcmp(copies, "1") && strcmp(copies, "2"))
		rc = misuse(args->title, "--copies %s: give 1 or 2", copies);
	if (!rc && copies)
		group->copies = *copies - '0';
	if (!rc && args->value[OPT_KEY] && *args->value[OPT_KEY] != '/' && strncmp(args->value[OPT_KEY], "keyring:", 8))
		rc = misuse(args->title, "--key %s: give a path that begins with /, for the group outlives this folder",
			    args->value[OPT_KEY]);
	for (i = 0; !rc && i < sizeof(passed) / sizeof(passed[0]); i++)
		if (args->value[passed[i].id])
			record_add_option(group, text_format("--%s=%s", passed[i].name, args->value[passed[i].id]));
	return rc || !args->value[OPT_LENDER] ? rc : lender_add(args, group);
}

/* The group, and its members from a number on, as words of a command and of its undo. */
static void plan_members(struct plan *plan, const struct group *group, unsigned int from)
{
	unsigned int pair;

	plan_add_word(plan, group->name);
	plan_add_undo(plan, group->name);
	for (pair = from; pair < member_pairs(group); pair++) {
		CLEANUP_FREE char *path = member_path(group, pair);

		plan_add_word(plan, path);
		if (from)
			plan_add_undo(plan, path);
	}
}

static int plan_create(struct group *group, struct plan *plan)
{
	CLEANUP_FREE char *size = text_format("--size=%" PRIu64 "b", group->size);
	int rc = member_add(group, plan, group->size);

	if (rc)
		return rc;
	lvm_do(plan, group->name, "vgcreate");
	/* By farmemctl alone: LVM would start it with a chunk that is out of date. */
	plan_add_words(plan, "--setautoactivation=n", "--addtag=farmem", NULL);
	lvm_undo(plan, group->name, "vgremove");
	plan_members(plan, group, 0);
	lvm_do(plan, group->name, "lvcreate");
	plan_add_words(plan, "--yes", "--wipesignatures=n", "--zero=n", size, "--name=volume", group->name, NULL);
	return RC_OK;
}

/*
 * What the directory knows of servers may be old.  As long as these have less room than it
 * takes, more sets join the group.
 */
static int connect_with_room(const struct cli_args *args, struct group *group, uint64_t bytes)
{
	uint64_t count, each = bytes ? member_chunk(group, bytes, &count) : 0;
	int rc = lender_connect(group);
	size_t had = 0;

	if (!bytes || args->value[OPT_LENDER] || !record_has_found_servers(group))
		return rc;
	while (!rc && group->server_count > had && (count = member_lacks(group, bytes))) {
		had = group->server_count;
		rc = find_servers(args, group, each, count);
		if (!rc)
			rc = lender_connect(group);
	}
	return rc;
}

static bool has_volumes(const struct group *group)
{
	EACH_CHUNK(chunk, group)
		if (member_exists(chunk))
			return true;
	return false;
}

static int print_created(const struct cli_args *args, const struct group *group)
{
	CLEANUP_FREE char *device = lvm_device(group->name);
	CLEANUP_FREE char *size = size_format(group->size);

	if (args->value[OPT_JSON])
		return group_print(args, group);
	printf("%s: group %s, %s, %u cop%s, %zu chunk%s on %zu server%s\n", device, group->name, size,
	       group->copies, group->copies == 1 ? "y" : "ies", group->chunk_count,
	       group->chunk_count == 1 ? "" : "s", group->server_count, group->server_count == 1 ? "" : "s");
	printf("Swap:  mkswap %s && swapon --priority 100 %s\n", device, device);
	printf("Undo:  swapoff %s; farmemctl group delete %s\n", device, group->name);
	return RC_OK;
}

/* The chunks from a place of the record on are a part of the device now. */
static void finish(struct group *group, size_t from)
{
	for (; from < group->chunk_count; from++)
		group->chunks[from].current = true;
}

/* The record is there first: whatever ends this process, "group delete" knows what it made. */
static int make(const struct cli_args *args, struct group *group, struct plan *plan)
{
	int rc = lvm_prepare(group) || record_save(group) ? RC_FAILURE :
		 connect_with_room(args, group, group->size);

	if (!rc)
		rc = plan_create(group, plan);
	if (!rc)
		rc = record_save(group);
	if (!rc)
		rc = plan_run(plan);
	if (!rc) {
		group->made = true;
		finish(group, 0);
		rc = record_save(group);
	}
	if (!rc)
		return print_created(args, group);
	if (!has_volumes(group))
		record_remove(group);
	else
		next_step("farmemctl group delete %s    (removes what is left)", group->name);
	return rc;
}

/** group_is_on() - RC_OK if its device is there, or RC_FAILURE after saying what is wrong */
int group_is_on(const struct group *group)
{
	CLEANUP_FREE char *node = lvm_node(group->name);

	if (!group->made) {
		fail("group %s is unfinished: the command that made it was ended", group->name);
		return next_step("farmemctl group delete %s; then create it anew", group->name);
	}
	if (node)
		return RC_OK;
	fail("group %s is off: its device is not there", group->name);
	return next_step("farmemctl group start %s", group->name);
}

static unsigned int count_legs(const struct group *group, unsigned int pair)
{
	unsigned int count = 0;

	EACH_LEG(chunk, group, pair)
		count++;
	return count;
}

/** group_is_whole() - the same, of one that no ended command has left anything of */
int group_is_whole(const struct group *group)
{
	if (group_is_on(group))
		return RC_FAILURE;
	EACH_CHUNK(chunk, group)
		if (!chunk->current || count_legs(group, chunk->pair) != group->copies) {
			fail("group %s has chunks that an earlier command left", group->name);
			return next_step("farmemctl group repair %s", group->name);
		}
	return RC_OK;
}

/* Lock a group of this node, and read its record: an exit code. */
static int group_open(const struct cli_args *args, struct group *group)
{
	int rc;

	*group = (struct group) { 0 };
	rc = record_check_name(args->title, args->name);
	if (rc)
		return rc;
	if (module_check())
		return RC_FAILURE;
	command_path();
	stop_catch();
	return lock_take("groups", args->name) || record_load(args->name, group) || lvm_prepare(group) ?
		       RC_FAILURE : RC_OK;
}

/** group_run() - open a group, do @act, and print it if JSON is asked for: an exit code */
int group_run(const struct cli_args *args, int (*act)(const struct cli_args *args, struct group *group))
{
	struct group group;
	int rc = group_open(args, &group);

	if (!rc)
		rc = act(args, &group);
	if (!rc && args->value[OPT_JSON] && !args->value[OPT_DRY_RUN])
		rc = group_print(args, &group);
	record_free(&group);
	return rc;
}

static int create(const struct cli_args *args, struct group *group)
{
	struct plan plan = { 0 };
	uint64_t each, count;
	int rc;

	if (record_exists(group->name)) {
		fail("group %s exists already", group->name);
		return next_step("farmemctl group show %s", group->name);
	}
	if (object_exists(VOLUMES, group->name)) {
		fail("%s is a volume of this node", group->name);
		return next_step("farmemctl group create OTHER-NAME ...");
	}
	each = member_chunk(group, group->size, &count);
	if (!args->value[OPT_LENDER] && find_servers(args, group, each, count))
		return RC_FAILURE;
	if (!args->value[OPT_DRY_RUN]) {
		rc = make(args, group, &plan);
		lender_let_go(group);
	} else {
		rc = plan_create(group, &plan);
		if (!rc)
			plan_print(&plan);
	}
	plan_free(&plan);
	return rc;
}

/** group_create() - farmemctl group create NAME --size SIZE [--server ADDR ...] */
int group_create(const struct cli_args *args)
{
	struct group group;
	int rc = describe(args, &group);

	if (!rc && !args->value[OPT_DRY_RUN] && module_check())
		rc = RC_FAILURE;
	if (!rc) {
		command_path();
		stop_catch();
		rc = lock_take("groups", group.name) ? RC_FAILURE : create(args, &group);
	}
	record_free(&group);
	return rc;
}

/* The new pairs join the group; the device does not use them yet. */
static int plan_room(struct group *group, struct plan *plan, uint64_t size)
{
	unsigned int before = member_pairs(group);
	uint64_t room = member_bytes(group);

	if (size <= room)
		return RC_OK;
	if (member_add(group, plan, size - room))
		return RC_FAILURE;
	lvm_do(plan, group->name, "vgextend");
	lvm_undo(plan, group->name, "vgreduce");
	plan_members(plan, group, before);
	return RC_OK;
}

static void plan_size(struct plan *plan, const struct group *group, uint64_t size)
{
	CLEANUP_FREE char *volume = text_format("%s/volume", group->name);
	CLEANUP_FREE char *option = text_format("--size=%" PRIu64 "b", size);

	lvm_do(plan, group->name, "lvextend");
	plan_add_words(plan, option, volume, NULL);
}

/*
 * The record says that the device may use the new pairs before it does.  A run that ends in
 * between leaves room, which the next one takes.
 */
static int make_room(struct group *group, struct plan *plan, size_t before)
{
	unsigned int pair;

	if (record_save(group))
		return RC_FAILURE;
	if (!plan_run(plan)) {
		finish(group, before);
		return record_save(group);
	}
	for (pair = 0; pair < member_pairs(group); pair++)
		member_drop_absent(group, pair, before);
	if (group->chunk_count > before)
		next_step("farmemctl group repair %s    (removes what is left)", group->name);
	record_save(group);
	return RC_FAILURE;
}

static int run_growth(const struct cli_args *args, struct group *group, struct plan *plan, uint64_t size, size_t before)
{
	struct plan last = { 0 };

	if (make_room(group, plan, before))
		return RC_FAILURE;
	plan_size(&last, group, size);
	if (plan_carry_out(&last, false))
		return RC_FAILURE;
	group->size = size;
	return record_save(group);
}

/* Without the directory it may have room on the servers that it has. */
static void find_more(const struct cli_args *args, struct group *group, uint64_t bytes)
{
	uint64_t count, each = member_chunk(group, bytes, &count);

	if (find_servers(args, group, each, count))
		fprintf(stderr, "group %s grows on the servers that it has\n", group->name);
}

static int grow(const struct cli_args *args, struct group *group)
{
	struct plan plan = { 0 };
	size_t before = group->chunk_count;
	uint64_t size, more;
	int rc = parse_bytes(args, OPT_SIZE, "size", CHUNK_MIN, &size);

	if (!rc && args->value[OPT_LENDER])
		rc = lender_add(args, group);
	if (!rc)
		rc = group_is_whole(group);
	if (!rc)
		rc = lvm_catch_up(group->name, args->value[OPT_DRY_RUN]);
	/* An ended growth came so far. */
	if (!rc && !args->value[OPT_DRY_RUN] && size > group->size && size <= lvm_bytes(group->name)) {
		group->size = lvm_bytes(group->name);
		return record_save(group);
	}
	if (!rc && size <= lvm_bytes(group->name)) {
		CLEANUP_FREE char *has = size_format(lvm_bytes(group->name));

		rc = misuse(args->title, "--size %s: the group has %s already", args->value[OPT_SIZE], has);
	}
	more = !rc && size > member_bytes(group) ? size - member_bytes(group) : 0;
	if (more && !args->value[OPT_LENDER] && record_has_found_servers(group))
		find_more(args, group, more);
	if (!rc && !args->value[OPT_DRY_RUN])
		rc = connect_with_room(args, group, more);
	if (!rc)
		rc = plan_room(group, &plan, size);
	if (!rc && args->value[OPT_DRY_RUN]) {
		plan_size(&plan, group, size);
		plan_print(&plan);
	} else if (!rc) {
		rc = run_growth(args, group, &plan, size, before);
	}
	if (!args->value[OPT_DRY_RUN])
		lender_let_go(group);
	plan_free(&plan);
	return rc;
}

/** group_grow() - farmemctl group grow NAME --size SIZE */
int group_grow(const struct cli_args *args)
{
	return group_run(args, grow);
}
