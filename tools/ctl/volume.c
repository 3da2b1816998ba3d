// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "progress.h"

#define LETS_GO_MS	5000
#define LOOK_MS		50

/* A row of the table is the volume's name. */
static char *get_name(const void *row, const struct column *column)
{
	return text_copy(row);
}

static char *get_attr(const void *row, const struct column *column)
{
	return object_get(VOLUMES, row, column->name);
}

static char *get_device(const void *row, const struct column *column)
{
	CLEANUP_FREE char *device = object_get(VOLUMES, row, "device");

	return device && *device ? text_format("/dev/%s", device) : NULL;
}

static char *get_disk(const void *row, const struct column *column)
{
	CLEANUP_FREE char *device = object_get(VOLUMES, row, "device");
	CLEANUP_FREE char *file = text_format("farmem/%s", column->name);

	return disk_attr(device, file);
}

/* The address of its server, to free; NULL if it has no session. */
static char *server_of(const char *volume)
{
	CLEANUP_FREE char *session = object_get(VOLUMES, volume, "session");

	return session && *session ? object_get(SESSIONS, session, "server") : NULL;
}

static char *get_server(const void *row, const struct column *column)
{
	return server_of(row);
}

static char *get_use(const void *row, const struct column *column)
{
	CLEANUP_FREE char *device = object_get(VOLUMES, row, "device");

	return holder_find(device);
}

static char *get_reason(const void *row, const struct column *column)
{
	return object_reason(VOLUMES, row);
}

static const struct column columns[] = {
	{ "name", "name of the volume", COLUMN_TEXT, true, get_name },
	{ "device", "its block device", COLUMN_TEXT, true, get_device },
	{ "size", "its capacity", COLUMN_BYTES, true, get_attr },
	{ "state", "off, live, recovering, failed or lost", COLUMN_TEXT, true, get_attr },
	{ "session", "the session it uses", COLUMN_TEXT, true, get_attr },
	{ "server", "address of the memory server", COLUMN_TEXT, false, get_server },
	{ "use", "swap, the mount point or the device on top", COLUMN_TEXT, true, get_use },
	{ "uuid", "its identity on the server", COLUMN_TEXT, false, get_attr },
	{ "sync", "whether the volume is synchronous", COLUMN_BOOL, false, get_attr },
	{ "checksum", "of each page: crc32c or none", COLUMN_TEXT, false, get_attr },
	{ "io_deadline", "seconds that I/O waits for a lost server; -1: for ever", COLUMN_NUMBER, false, get_attr },
	{ "partner", "the mirror's other leg", COLUMN_TEXT, false, get_attr },
	{ "stale", "whether the partner may hold newer data", COLUMN_BOOL, false, get_attr },
	{ "power", "whether the volume is switched on", COLUMN_BOOL, false, get_attr },
	{ "generation", "number of the server's memory that the volume uses", COLUMN_TEXT, false, get_disk },
	{ "slab_size", "unit in which memory is lent", COLUMN_BYTES, false, get_disk },
	{ "slabs", "slabs that the volume is made of", COLUMN_NUMBER, false, get_disk },
	{ "regions", "memory registrations of the server that the volume spans", COLUMN_NUMBER, false, get_disk },
	{ "reason", "why the volume is not live", COLUMN_TEXT, true, get_reason },
};

const struct table volume_table = TABLE("volumes", columns);

/** volume_list() - farmemctl volume list */
int volume_list(const struct cli_args *args)
{
	return object_list(args, VOLUMES, "farmemctl volume create NAME --size SIZE --server ADDR");
}

/** volume_show() - farmemctl volume show [NAME] */
int volume_show(const struct cli_args *args)
{
	CLEANUP_FREE char *given = NULL;
	CLEANUP_FREE char *name = NULL;

	if (module_check())
		return RC_FAILURE;
	given = volume_wanted(args);
	if (!given)
		return RC_USAGE;
	name = volume_named(given);
	return object_show(args, VOLUMES, name);
}

/**
 * volume_refuse() - say that a volume is in the wrong state, why, and what to do
 * @state: the state, or NULL
 * @what: the same in words: "is lost"
 *
 * Return: RC_FAILURE.
 */
int volume_refuse(const char *name, const char *state, const char *what)
{
	CLEANUP_FREE char *reason = object_reason(VOLUMES, name);
	CLEANUP_FREE char *server = server_of(name);

	fail("volume %s %s%s%s", name, what, reason ? ": " : "", reason ? reason : "");
	object_advise(reason);
	if (state && !strcmp(state, "lost"))
		return next_step("farmemctl volume delete %s; then create it anew", name);
	if (state && !strcmp(state, "off"))
		return next_step("farmemctl volume create %s --size SIZE --server ADDR --if-absent    (switches it on)",
				 name);
	if (state && server && (!strcmp(state, "recovering") || !strcmp(state, "failed")))
		return next_step("farmemctl doctor --server %s", server);
	return next_step("farmemctl volume show %s", name);
}

/*
 * After swapoff udev has a look at the disk.  And a process has yet to see that its I/O has
 * failed, and to close it.
 */
static int switch_off(const char *path, const char *value)
{
	const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000 };
	int left = LETS_GO_MS / LOOK_MS;
	int rc;

	while ((rc = attr_write(path, value)) == -EBUSY && left-- && !stop_requested())
		nanosleep(&pause, NULL);
	return rc;
}

/* Switch it off, and unless told to keep it give the memory back. */
static int give_back(const char *name, bool keep)
{
	CLEANUP_FREE char *path = text_format("%s/%s/%s/%s", configfs_root(), VOLUMES,
					      name, keep ? "power" : "release");
	CLEANUP_FREE char *reason = NULL;
	CLEANUP_FREE char *device = NULL;
	int rc;

	if (!object_powered(VOLUMES, name))
		return RC_OK;
	object_progress(VOLUMES, name, keep ? "off" : "release");
	rc = switch_off(path, keep ? "0" : "1");
	progress_end();
	if (!rc)
		return RC_OK;
	if (rc == -EBUSY) {
		device = object_get(VOLUMES, name, "device");
		return holder_unseen(device ? device : "");
	}
	if (keep) {
		fail("volume %s could not be powered off: %s", name, strerror(-rc));
		return next_step("dmesg | grep farmem");
	}
	reason = object_complaint(VOLUMES, name);
	fail("the memory of volume %s could not be given back: %s", name,
	     reason ? reason : strerror(-rc));
	return next_step("farmemctl volume delete %s --keep    (and on the memory node: farmemctl server release)",
			 name);
}

static int remove_volume(const char *name, bool was_on, bool keep)
{
	const char *fate = !was_on ? "it was off; data that the server may hold for the volume stays there" :
			   keep ? "its data stays on the server" : "its memory is given back";
	int rc = object_remove(VOLUMES, name);

	if (rc == -EPERM) {
		printf("Volume %s is off: %s. Module parameters made it: rmmod farmem removes it\n",
		       name, fate);
		return RC_OK;
	}
	if (rc) {
		fail("volume %s can't be removed: %s", name, strerror(-rc));
		return next_step("farmemctl volume show %s", name);
	}
	printf("Volume %s is deleted: %s\n", name, fate);
	return RC_OK;
}

/* By heartbeats the server learns that nothing is under way to that memory. */
static void tell_held(const char *session)
{
	CLEANUP_FREE char *heartbeat = NULL;
	CLEANUP_FREE char *server = NULL;

	if (!session || !*session || !object_powered(SESSIONS, session))
		return;
	server = object_get(SESSIONS, session, "server");
	heartbeat = object_get(SESSIONS, session, "heartbeat");
	/* This node's own memory is back. */
	if (server && strcmp(server, "local") && heartbeat && !strcmp(heartbeat, "0"))
		printf("The server holds that memory until session %s ends: the session has no heartbeat\n", session);
}

static int delete_named(const struct cli_args *args, const char *name)
{
	bool keep = args->value[OPT_KEEP];
	CLEANUP_FREE char *device = NULL;
	CLEANUP_FREE char *session = NULL;
	bool was_on;

	if (lock_take(VOLUMES, name) || object_require(VOLUMES, name))
		return RC_FAILURE;
	session = object_get(VOLUMES, name, "session");
	if (session && *session && session_lock(session, NULL))
		return RC_FAILURE;
	device = object_get(VOLUMES, name, "device");
	was_on = object_powered(VOLUMES, name);
	if (holder_refuse(device) || give_back(name, keep) ||
	    remove_volume(name, was_on, keep))
		return RC_FAILURE;
	if (session && *session)
		session_drop_derived(session);
	if (was_on && !keep)
		tell_held(session);
	return RC_OK;
}

/*
 * Its I/O fails before any lock is taken: a command that creates the volume may hold
 * that lock, and wait for the server as the I/O does.
 */
static int delete_by_force(const struct cli_args *args, const char *name)
{
	CLEANUP_FREE char *deadline = NULL;
	CLEANUP_FREE char *partner = NULL;
	int rc;

	if (object_require(VOLUMES, name))
		return RC_FAILURE;
	deadline = object_get(VOLUMES, name, "io_deadline");
	partner = object_get(VOLUMES, name, "partner");
	if (!deadline || object_set(VOLUMES, name, "io_deadline", "0") ||
	    (partner && *partner && object_set(VOLUMES, name, "partner", "")))
		return RC_FAILURE;
	rc = delete_named(args, name);
	if (!object_exists(VOLUMES, name))
		return rc;
	/* A volume that stays is as patient as it was, but may not have what its partner has. */
	object_set(VOLUMES, name, "io_deadline", deadline);
	if (partner && *partner)
		next_step("farmemctl volume set %s --partner %s    (when both hold the same bytes)",
			  name, partner);
	return rc;
}

/**
 * volume_set() - farmemctl volume set NAME [--io-deadline SECONDS] [--partner VOLUME]
 *
 * Without a lock, as it may be what ends another command's wait.  The partner first: a
 * deadline that is over at once is to find it.
 */
int volume_set(const struct cli_args *args)
{
	const char *deadline = args->value[OPT_IO_DEADLINE];
	const char *partner = args->value[OPT_PARTNER];
	CLEANUP_FREE char *name = NULL;

	if (!deadline && !partner)
		return misuse(args->title, "give --io-deadline, --partner or both");
	if (module_check())
		return RC_FAILURE;
	name = volume_named(args->name);
	return object_require(VOLUMES, name) ||
	       (partner && object_set(VOLUMES, name, "partner", partner)) ||
	       (deadline && object_set(VOLUMES, name, "io_deadline", deadline)) ? RC_FAILURE : RC_OK;
}

/** volume_delete() - farmemctl volume delete NAME [--keep] [--force] */
int volume_delete(const struct cli_args *args)
{
	CLEANUP_FREE char *name = NULL;

	if (module_check())
		return RC_FAILURE;
	stop_catch();
	name = volume_named(args->name);
	return args->value[OPT_FAIL_IO] ? delete_by_force(args, name) : delete_named(args, name);
}
