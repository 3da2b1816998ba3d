// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-unit.c - farmemd.service.  systemd itself knows best what holds; where it does
 * not run, as in a container, the files are read by its rules.
 */
#include "doctor-unit.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cleanup.h"
#include "command.h"
#include "size.h"

#define SECONDS		10
#define UNIT		"farmemd.service"
#define IPC_LOCK	"cap_ipc_lock"
/* systemd's own limit, unless system.conf says otherwise. */
#define USUAL_BYTES	(UINT64_C(8) << 20)

/* What comes first hides files of the same name in the others. */
static const char *const folders[] = {
	"/etc/systemd/system", "/run/systemd/system", "/usr/local/lib/systemd/system",
	"/usr/lib/systemd/system", "/lib/systemd/system",
};

#define FOLDERS (sizeof(folders) / sizeof(folders[0]))

/** unit_systemd_runs() - is systemd the one that starts services here? */
bool unit_systemd_runs(void)
{
	CLEANUP_FREE char *path = text_format("%s/run/systemd/system", file_root());

	return !file_missing(path);
}

/* "infinity", or the soft limit of "SOFT:HARD". */
static void take_limit(struct unit *unit, const char *value)
{
	CLEANUP_FREE char *soft = text_format("%.*s", (int)strcspn(value, ":"), value);

	unit->memlock = USUAL_BYTES;
	if (!strcmp(soft, "infinity"))
		unit->memlock = UINT64_MAX;
	else
		size_parse(soft, &unit->memlock);
}

/* What the lines seen so far make of it. */
struct reading {
	struct unit *unit;
	bool root;
	bool bounded;		/* CapabilityBoundingSet= was given */
	bool may_lock;
};

static void take_capabilities(struct reading *reading, const char *value)
{
	bool named = strcasestr(value, IPC_LOCK);

	if (*value == '~')
		reading->may_lock &= !named;
	else
		reading->may_lock = *value && (named || (reading->bounded && reading->may_lock));
	reading->bounded = true;
}

static int take_line(void *data, const char *section, const char *name, const char *value)
{
	struct reading *reading = data;

	if (strcmp(section, "Service"))
		return 1;
	if (!strcmp(name, "LimitMEMLOCK"))
		take_limit(reading->unit, value);
	if (!strcmp(name, "User"))
		reading->root = !*value || !strcmp(value, "root") || !strcmp(value, "0");
	if (!strcmp(name, "CapabilityBoundingSet"))
		take_capabilities(reading, value);
	return 1;
}

static bool hidden(size_t folder, const char *name)
{
	size_t i;

	for (i = 0; i < folder; i++) {
		CLEANUP_FREE char *path = text_format("%s%s/" UNIT ".d/%s", file_root(),
						      folders[i], name);

		if (!file_missing(path))
			return true;
	}
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(strrchr(*(char *const *)a, '/'), strrchr(*(char *const *)b, '/'));
}

/* The paths of all that is dropped in, in the order of their names, to free. */
static char **drop_ins(size_t *count)
{
	char **paths = NULL;
	size_t i;

	*count = 0;
	for (i = 0; i < FOLDERS; i++) {
		CLEANUP_FREE char *folder = text_format("%s%s/" UNIT ".d", file_root(), folders[i]);
		char **names = name_list(folder);
		char **name;

		for (name = names; name && *name; name++) {
			const char *end = strrchr(*name, '.');

			if (!end || strcmp(end, ".conf") || hidden(i, *name))
				continue;
			paths = reallocarray(paths, *count + 1, sizeof(*paths));
			if (!paths)
				exit(fail("out of memory"));
			paths[(*count)++] = text_format("%s/%s", folder, *name);
		}
		name_list_free(names);
	}
	if (paths)
		qsort(paths, *count, sizeof(*paths), by_name);
	return paths;
}

static void read_files(struct reading *reading)
{
	struct unit *unit = reading->unit;
	char **paths;
	size_t count, i;

	for (i = 0; i < FOLDERS && !unit->there; i++) {
		CLEANUP_FREE char *path = text_format("%s%s/" UNIT, file_root(), folders[i]);

		unit->there = ini_parse(path, take_line, reading) != -1;
	}
	paths = drop_ins(&count);
	for (i = 0; i < count; i++) {
		ini_parse(paths[i], take_line, reading);
		free(paths[i]);
	}
	free(paths);
}

/* What follows KEY= in a line of what systemctl prints, to free. */
static char *shown(const char *output, const char *key)
{
	CLEANUP_FREE char *start = text_format("\n%s=", key);
	CLEANUP_FREE char *text = text_format("\n%s", output);
	const char *from = strstr(text, start);

	from = from ? from + strlen(start) : "";
	return text_format("%.*s", (int)strcspn(from, "\n"), from);
}

static bool ask_systemd(struct reading *reading)
{
	static const char *const keys[] = { "User", "CapabilityBoundingSet" };
	struct unit *unit = reading->unit;
	CLEANUP_FREE char *output = NULL;
	CLEANUP_FREE char *load = NULL;
	CLEANUP_FREE char *state = NULL;
	CLEANUP_FREE char *limit = NULL;
	size_t i;

	if (command_ask(&output, SECONDS, "systemctl", "show", "-p", "LoadState", "-p",
			"UnitFileState", "-p", "LimitMEMLOCKSoft", "-p", "User", "-p",
			"CapabilityBoundingSet", UNIT, NULL))
		return false;
	load = shown(output, "LoadState");
	state = shown(output, "UnitFileState");
	limit = shown(output, "LimitMEMLOCKSoft");
	if (!*load)
		return false;
	unit->there = !strcmp(load, "loaded");
	unit->enabled = !strcmp(state, "enabled") || !strcmp(state, "enabled-runtime");
	/* What it calls LimitMEMLOCK is the hard one, which binds nobody. */
	take_limit(unit, limit);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		CLEANUP_FREE char *value = shown(output, keys[i]);

		take_line(reading, "Service", keys[i], value);
	}
	return true;
}

/**
 * unit_read() - what the unit gives to farmemd
 * @unit: result
 */
void unit_read(struct unit *unit)
{
	struct reading reading = { .unit = unit, .root = true, .may_lock = true };

	*unit = (struct unit){ .memlock = USUAL_BYTES };
	if (!unit_systemd_runs() || !ask_systemd(&reading))
		read_files(&reading);
	unit->unbound = reading.root && reading.may_lock;
}
