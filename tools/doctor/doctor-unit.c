// SPDX-License-Identifier: GPL-2.0
/*
 * doctor-unit.c - farmemd.service, as systemd itself tells of it.
 */
#include "doctor-unit.h"

#include <string.h>

#include "attr.h"
#include "command.h"
#include "size.h"

#define SECONDS		10
#define UNIT		"farmemd.service"

/* What follows KEY= in a line of what systemctl prints, to free. */
static char *shown(const char *output, const char *key)
{
	CLEANUP_FREE char *start = text_format("\n%s=", key);
	CLEANUP_FREE char *text = text_format("\n%s", output);
	const char *from = strstr(text, start);

	from = from ? from + strlen(start) : "";
	return text_format("%.*s", (int)strcspn(from, "\n"), from);
}

/**
 * unit_read() - what the unit gives to farmemd
 * @unit: result; there is none where systemd does not run
 */
void unit_read(struct unit *unit)
{
	CLEANUP_FREE char *output = NULL;
	CLEANUP_FREE char *load = NULL;
	CLEANUP_FREE char *state = NULL;
	CLEANUP_FREE char *limit = NULL;
	CLEANUP_FREE char *user = NULL;
	CLEANUP_FREE char *capabilities = NULL;

	*unit = (struct unit){ 0 };
	if (file_missing("%s/run/systemd/system", file_root()) ||
	    command_ask(&output, SECONDS, "systemctl", "show", "-p", "LoadState", "-p",
			"UnitFileState", "-p", "LimitMEMLOCKSoft", "-p", "User", "-p",
			"CapabilityBoundingSet", UNIT, NULL))
		return;
	unit->systemd = true;
	load = shown(output, "LoadState");
	state = shown(output, "UnitFileState");
	/* What it calls LimitMEMLOCK is the hard one, which binds nobody. */
	limit = shown(output, "LimitMEMLOCKSoft");
	user = shown(output, "User");
	capabilities = shown(output, "CapabilityBoundingSet");
	unit->there = !strcmp(load, "loaded");
	unit->enabled = !strcmp(state, "enabled") || !strcmp(state, "enabled-runtime");
	if (!strcmp(limit, "infinity"))
		unit->memlock = UINT64_MAX;
	else
		size_parse(limit, &unit->memlock);
	unit->unbound = (!*user || !strcmp(user, "root") || !strcmp(user, "0")) &&
			strstr(capabilities, "cap_ipc_lock");
}
