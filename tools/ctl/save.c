// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "cli.h"
#include "object.h"
#include "volume-file.h"

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

/* Its line of /proc/swaps, if it is swap: "/dev/farmem0 partition SIZE USED PRIORITY". */
static void print_swap(FILE *out, const char *volume)
{
	CLEANUP_FREE char *device = object_get(VOLUMES, volume, "device");
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

static int print(FILE *out, const char *volume)
{
	CLEANUP_FREE char *session = object_get(VOLUMES, volume, "session");

	if (!session || !*session)
		return fail("volume %s has no session: it is off", volume);
	print_volume(out, volume, session);
	print_swap(out, volume);
	return RC_OK;
}

/* What apply would say of the file. */
static int check(const char *volume)
{
	struct volume_file file;
	char error[512];
	int err;

	err = volume_file_read(&file, volume, error, sizeof(error));

	volume_file_free(&file);
	return err ? fail("%s", error) : RC_OK;
}

/* A file that is there is a person's. */
static int save(const char *volume)
{
	CLEANUP_FREE char *path = text_format("%s" VOLUME_FILES "/%s.conf", file_root(), volume);
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
	rc = print(out, volume);
	if (fclose(out))
		rc = fail("%s: %s", path, strerror(errno));
	if (!rc)
		rc = check(volume);
	if (rc)
		unlink(path);
	else
		printf("%s is written: farmem@%s.service makes the volume at each boot\n", path, volume);
	return rc;
}

/** save_run() - farmemctl save VOLUME */
int save_run(const struct cli_args *args)
{
	CLEANUP_FREE char *name = NULL;

	if (module_check())
		return RC_FAILURE;
	name = volume_named(args->name);
	return object_require(VOLUMES, name) ? RC_FAILURE : save(name);
}
