// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "volume-file.h"
#include "../group/group.h"
#include "../group/lvm.h"

/* A key of [volume], and the attribute of the volume or of its session that it sets. */
struct saved {
	const char *key;
	const char *kind;
	const char *attr;
};

static const struct saved saved[] = {
	{ "server", SESSIONS, "server" },
	{ "size", VOLUMES, "size" },
	{ "uuid", VOLUMES, "uuid" },
	{ "client", SESSIONS, "client" },
	{ "key", SESSIONS, "key" },
	{ "source", SESSIONS, "source" },
	{ "queues", SESSIONS, "queues" },
	{ "checksum", VOLUMES, "checksum" },
	{ "io-deadline", VOLUMES, "io_deadline" },
	{ "partner", VOLUMES, "partner" },
	{ "connect-timeout", SESSIONS, "connect_timeout" },
	{ "reconnect-delay", SESSIONS, "reconnect_delay" },
	{ "reconnect-max", SESSIONS, "reconnect_max" },
	{ "heartbeat", SESSIONS, "heartbeat" },
	{ "peer-timeout", SESSIONS, "peer_timeout" },
};

static void print_volume(FILE *out, const char *volume, const char *session)
{
	CLEANUP_FREE char *sync = object_get(VOLUMES, volume, "sync");
	size_t i;

	fprintf(out, "[volume]\n");
	for (i = 0; i < sizeof(saved) / sizeof(*saved); i++) {
		const char *name = strcmp(saved[i].kind, VOLUMES) ? session : volume;
		CLEANUP_FREE char *value = object_get(saved[i].kind, name, saved[i].attr);

		if (value && *value)
			fprintf(out, "%s = %s\n", saved[i].key, value);
	}
	if (sync && !strcmp(sync, "1"))
		fprintf(out, "sync = yes\n");
}

/* Were all servers found in the cluster's directory?  They are found there anew, in sets of then. */
static bool were_found(const struct group *group)
{
	size_t i;

	for (i = 0; i < group->server_count; i++)
		if (!group->servers[i].sets)
			return false;
	return true;
}

/* A server that was drained gets nothing any more, so a group made anew does without. */
static int print_group(FILE *out, const struct group *group)
{
	bool named = !were_found(group), any = !named;
	size_t i;

	fprintf(out, "[group]\n");
	for (i = 0; i < group->server_count; i++)
		if (named && !group->servers[i].drained) {
			fprintf(out, "server = %s@%s\n", group->servers[i].address, group->servers[i].domain);
			any = true;
		}
	if (!any) {
		fail("group %s: all its servers are drained", group->name);
		return next_step("farmemctl group grow %s --size SIZE --server ADDR[@DOMAIN]", group->name);
	}
	fprintf(out, "size = %" PRIu64 "\nchunk = %" PRIu64 "\ncopies = %u\n",
		group->size, group->chunk, group->copies);
	/* Such as "--client=node1". */
	for (i = 0; i < group->option_count; i++) {
		const char *key = group->options[i] + strlen("--");
		size_t length = strcspn(key, "=");

		fprintf(out, "%.*s = %s\n", (int)length, key, key + length + 1);
	}
	return RC_OK;
}

/* Its line of /proc/swaps, if it is swap: "/dev/farmem0 partition SIZE USED PRIORITY". */
static void print_swap(FILE *out, const char *device)
{
	CLEANUP_FREE char *swaps = attr_read("%s/swaps", proc_root());
	CLEANUP_FREE char *line = text_format("/dev/%s ", device ? device : "");
	const char *found = swaps ? strstr(swaps, line) : NULL;
	int priority;

	if (!found)
		return;
	fprintf(out, "\n[swap]\n");
	if (sscanf(found, "%*s %*s %*s %*s %d", &priority) == 1 && priority >= 0)
		fprintf(out, "priority = %d\n", priority);
}

/* @group: NULL: it is a volume */
static int print(FILE *out, const char *name, const struct group *group)
{
	CLEANUP_FREE char *session = group ? NULL : object_get(VOLUMES, name, "session");
	CLEANUP_FREE char *device = group ? lvm_node(name) : object_get(VOLUMES, name, "device");

	if (!group && (!session || !*session))
		return fail("volume %s has no session: it is off", name);
	if (group && print_group(out, group))
		return RC_FAILURE;
	if (!group)
		print_volume(out, name, session);
	print_swap(out, device);
	return RC_OK;
}

/* What apply would say of the file. */
static int check(const char *name)
{
	struct volume_file file;
	char error[512];
	int err;

	err = volume_file_read(&file, name, error, sizeof(error));

	volume_file_free(&file);
	return err ? fail("%s", error) : RC_OK;
}

/* A file that is there is a person's. */
static int save(const char *name, const struct group *group)
{
	CLEANUP_FREE char *path = text_format("%s" VOLUME_FILES "/%s.conf", file_root(), name);
	FILE *out = fopen(path, "wxe");
	int rc;

	if (!out && errno == EEXIST) {
		fail("%s is there already", path);
		return next_step("mv %s %s.old", path, path);
	}
	if (!out) {
		fail("%s: %s", path, strerror(errno));
		return next_step("mkdir -p " VOLUME_FILES "    (as root)");
	}
	rc = print(out, name, group);
	if (fclose(out))
		rc = fail("%s: %s", path, strerror(errno));
	if (!rc)
		rc = check(name);
	if (rc)
		unlink(path);
	else
		printf("%s is written: farmem@%s.service makes the %s at each boot\n", path, name,
		       group ? "group" : "volume");
	return rc;
}

static int save_group(const char *name)
{
	struct group group;
	int rc = record_load(name, &group) || group_is_on(&group) || save(name, &group) ? RC_FAILURE : RC_OK;

	record_free(&group);
	return rc;
}

/* A chunk that a file described would be there before its group, which makes it itself. */
static int refuse_chunk(const char *volume)
{
	int rc = RC_OK;

	EACH_NAME(name, record_names()) {
		struct group group;
		const struct group_chunk *chunk = record_look(*name.at, &group) ? record_chunk(&group, volume) : NULL;

		if (chunk && member_exists(chunk)) {
			fail("volume %s is a part of group %s, which has a file for all", volume, group.name);
			rc = next_step("farmemctl save %s", group.name);
		}
		record_free(&group);
	}
	return rc;
}

/** save_run() - farmemctl save NAME, of a group or a volume */
int save_run(const struct cli_args *args)
{
	CLEANUP_FREE char *name = NULL;

	if (module_check())
		return RC_FAILURE;
	if (record_exists(args->name))
		return save_group(args->name);
	name = volume_named(args->name);
	return volume_or_group_require(name) || refuse_chunk(name) || save(name, NULL) ? RC_FAILURE : RC_OK;
}
