// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "size.h"

/* What can be said without asking the kernel. */
static int check(const struct cli_args *args, uint64_t *size)
{
	const char *kind = args->value[OPT_CHECKSUM];
	int rc;

	rc = name_check(args->title, VOLUMES, args->name);
	if (rc)
		return rc;
	if (!args->value[OPT_SERVER] == !args->value[OPT_SESSION])
		return misuse(args->title, "give either --server or --session");
	if (size_parse(args->value[OPT_SIZE], size) || !*size)
		return misuse(args->title, "--size %s: expected a number with K, M, G or T after it, as in 4G (binary units)",
			      args->value[OPT_SIZE]);
	if (kind && strcmp(kind, "crc32c") && strcmp(kind, "none"))
		return misuse(args->title, "--checksum %s: give crc32c or none", kind);
	return RC_OK;
}

static int set(const char *volume, const char *attr, const char *value)
{
	return value ? object_set(VOLUMES, volume, attr, value) : RC_OK;
}

static int make(const struct cli_args *args, const char *session, uint64_t size, struct undo *undo)
{
	CLEANUP_FREE char *bytes = text_format("%" PRIu64, size);

	if (object_make(VOLUMES, args->name))
		return RC_FAILURE;
	undo_make(undo, VOLUMES, args->name);
	if (set(args->name, "session", session) || set(args->name, "size", bytes) ||
	    set(args->name, "uuid", args->value[OPT_UUID]) ||
	    set(args->name, "io_deadline", args->value[OPT_IO_DEADLINE]) ||
	    set(args->name, "checksum", args->value[OPT_CHECKSUM]) ||
	    set(args->name, "sync", args->value[OPT_SYNC] ? "1" : NULL) ||
	    object_power(VOLUMES, args->name, true))
		return RC_FAILURE;
	undo_power(undo, VOLUMES, args->name);
	if (stop_requested())
		return fail("interrupted");
	return RC_OK;
}

static void explain(const char *volume, const char *session)
{
	CLEANUP_FREE char *device = object_get(VOLUMES, volume, "device");
	CLEANUP_FREE char *bytes = object_get(VOLUMES, volume, "size");
	CLEANUP_FREE char *server = object_get(SESSIONS, session, "server");
	CLEANUP_FREE char *size = size_format(bytes ? strtoull(bytes, NULL, 10) : 0);

	printf("/dev/%s: volume %s, %s on %s\n", device, volume, size, server);
	printf("Swap:  mkswap /dev/%s && swapon --priority 100 /dev/%s\n", device, device);
	printf("Undo:  swapoff /dev/%s; farmemctl volume delete %s\n", device, volume);
}

/** volume_create() - farmemctl volume create NAME --size SIZE --server ADDR */
int volume_create(const struct cli_args *args)
{
	CLEANUP_FREE char *session = NULL;
	const void *row = args->name;
	struct undo undo = { 0 };
	uint64_t size;
	int rc;

	rc = check(args, &size);
	if (rc)
		return rc;
	if (module_check())
		return RC_FAILURE;
	stop_catch();
	if (lock_take(VOLUMES, args->name))
		return RC_FAILURE;
	/* Before the session: a name that is taken must not cost a connection. */
	if (object_exists(VOLUMES, args->name)) {
		fail("volume %s exists already", args->name);
		return next_step("farmemctl volume show %s", args->name);
	}
	rc = session_obtain(args, &undo, &session);
	if (!rc)
		rc = make(args, session, size, &undo);
	if (rc) {
		undo_run(&undo);
		return rc;
	}
	undo_forget(&undo);
	if (args->value[OPT_JSON])
		return table_print(args, &row, 1);
	explain(args->name, session);
	return RC_OK;
}
