// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "size.h"
#include "../group/plan.h"
#include "../group/record.h"

#define UDEV_CONTROL	"/run/udev/control"	/* udevd runs */
#define UDEV_RULES	"/usr/lib/udev/rules.d/60-farmem.rules"
#define LINK_LETTERS	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#+-.:=@_"	/* udev(7) changes others */
#define LINK_SECONDS	5.0
#define LINK_LOOK	0.05

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

#define SETTINGS 6

static void settings_list(const struct cli_args *args, const char *bytes, struct setting *settings)
{
	memcpy(settings, (const struct setting[SETTINGS]) {
		{ "size", bytes, SETTING_NUMBER },
		{ "uuid", args->value[OPT_UUID], SETTING_UUID },
		{ "io_deadline", args->value[OPT_IO_DEADLINE], SETTING_SECONDS },
		{ "partner", args->value[OPT_PARTNER], SETTING_TEXT },
		{ "checksum", args->value[OPT_CHECKSUM], SETTING_TEXT },
		{ "sync", args->value[OPT_SYNC] ? "1" : NULL, SETTING_TEXT },
	}, SETTINGS * sizeof(*settings));
}

/*
 * What has the value already is not written: a volume that was on knows what memory it
 * had, and the module forgets that when it is given a session or a uuid, even the same.
 * Nor is it stale any more when it is given a partner.
 */
static int set(const char *volume, const struct setting *setting)
{
	CLEANUP_FREE char *now = object_get(VOLUMES, volume, setting->attr);

	if (!setting->value || (now && setting_same(setting->kind, now, setting->value)))
		return RC_OK;
	return object_set(VOLUMES, volume, setting->attr, setting->value);
}

static int make(const struct cli_args *args, struct undo *undo)
{
	/* One that is there is off: it stays if a later step fails. */
	if (args->value[OPT_IF_ABSENT] && object_exists(VOLUMES, args->name))
		return RC_OK;
	if (object_make(VOLUMES, args->name))
		return RC_FAILURE;
	undo_make(undo, VOLUMES, args->name);
	return RC_OK;
}

static int set_and_power(const struct cli_args *args, const char *session, const char *bytes,
			 struct undo *undo)
{
	const struct setting used = { "session", session, SETTING_TEXT };
	struct setting settings[SETTINGS];
	size_t i;

	settings_list(args, bytes, settings);
	if (set(args->name, &used))
		return RC_FAILURE;
	for (i = 0; i < SETTINGS; i++)
		if (set(args->name, &settings[i]))
			return RC_FAILURE;
	if (object_power(VOLUMES, args->name, true))
		return RC_FAILURE;
	undo_power(undo, VOLUMES, args->name);
	if (stop_requested())
		return fail("interrupted");
	return RC_OK;
}

/*
 * The next command of a script names the disk by a link that udevd makes in a moment.  Without
 * udevd there is no link, and a udevd that itself waits for memory must not hold this up.
 */
static void wait_for_link(const char *volume)
{
	double left = LINK_SECONDS;

	if (getenv(NEEDS_NO_LINK) || volume[strspn(volume, LINK_LETTERS)] || file_missing("%s" UDEV_CONTROL, file_root()) || file_missing("%s" UDEV_RULES, file_root()))
		return;
	while (left > 0 && file_missing("%s" DISK_LINKS "/%s", file_root(), volume) && stop_wait(-1, LINK_LOOK))
		left -= LINK_LOOK;
}

static int print(const struct cli_args *args, const char *session)
{
	CLEANUP_FREE char *device = object_get(VOLUMES, args->name, "device");
	CLEANUP_FREE char *bytes = object_get(VOLUMES, args->name, "size");
	CLEANUP_FREE char *server = object_get(SESSIONS, session, "server");
	CLEANUP_FREE char *size = size_format(bytes ? strtoull(bytes, NULL, 10) : 0);
	const void *row = args->name;

	if (args->value[OPT_JSON])
		return table_print(args, &row, 1);
	printf("/dev/%s: volume %s, %s on %s\n", device, args->name, size, server);
	/* One that was there may be in use: mkswap is no advice then, and none for a script. */
	if (args->value[OPT_IF_ABSENT])
		return RC_OK;
	printf("Swap:  mkswap /dev/%s && swapon --priority 100 /dev/%s\n", device, device);
	printf("Undo:  swapoff /dev/%s; farmemctl volume delete %s\n", device, args->name);
	return RC_OK;
}

/* The volume is on: say so, if it is what the command asks for. */
static int accept_volume(const struct cli_args *args, const char *bytes)
{
	CLEANUP_FREE char *session = object_get(VOLUMES, args->name, "session");
	CLEANUP_FREE char *state = object_get(VOLUMES, args->name, "state");
	struct setting settings[SETTINGS];
	size_t i;
	int rc;

	if (!session || !state || (strcmp(state, "live") && strcmp(state, "recovering"))) {
		CLEANUP_FREE char *what = text_format("exists already, and is %s", state ? state : "gone");

		return volume_refuse(args->name, state, what);
	}
	settings_list(args, bytes, settings);
	for (i = 0; i < SETTINGS; i++) {
		CLEANUP_FREE char *now = object_get(VOLUMES, args->name, settings[i].attr);

		if (setting_check(args->name, &settings[i], now))
			return RC_FAILURE;
	}
	rc = session_check(args, session);
	if (rc)
		return rc;
	wait_for_link(args->name);
	return print(args, session);
}

/** volume_create() - farmemctl volume create NAME --size SIZE --server ADDR */
int volume_create(const struct cli_args *args)
{
	CLEANUP_FREE char *session = NULL;
	CLEANUP_FREE char *bytes = NULL;
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
	if (object_exists(VOLUMES, args->name) && !args->value[OPT_IF_ABSENT]) {
		fail("volume %s exists already", args->name);
		return next_step("farmemctl volume show %s", args->name);
	}
	/* "group create" refuses the name of a volume. */
	if (!object_exists(VOLUMES, args->name) && !file_missing("%s" GROUP_FOLDER "/groups/%s.json", file_root(), args->name)) {
		fail("%s is a group of this node", args->name);
		return next_step("farmemctl volume create OTHER-NAME ...");
	}
	bytes = text_format("%" PRIu64, size);
	if (object_powered(VOLUMES, args->name))
		return accept_volume(args, bytes);
	rc = session_obtain(args, &undo, &session);
	if (!rc)
		rc = make(args, &undo);
	if (!rc)
		rc = set_and_power(args, session, bytes, &undo);
	if (rc) {
		undo_run(&undo);
		return rc;
	}
	undo_forget(&undo);
	wait_for_link(args->name);
	return print(args, session);
}
