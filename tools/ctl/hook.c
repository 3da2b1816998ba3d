// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"

#define HOOK_SECONDS	30	/* that one program may take for one change */

/* What a program runs as must not be for another user to say. */
static int refuse_writers(const char *path, const struct stat *stat)
{
	if (stat->st_uid && stat->st_uid != geteuid()) {
		fail("%s belongs to another user, so nothing is run from it", path);
		return next_step("chown root %s", path);
	}
	if (stat->st_mode & (S_IWGRP | S_IWOTH)) {
		fail("others may write to %s, so nothing is run from it", path);
		return next_step("chmod go-w %s", path);
	}
	return RC_OK;
}

/** hook_check() - RC_OK, or say why nothing in the folder can be run */
int hook_check(const char *folder)
{
	struct stat stat_of;

	if (stat(folder, &stat_of) || !S_ISDIR(stat_of.st_mode)) {
		fail("%s is no folder that can be read", folder);
		return next_step("give --run a folder with programs: install -d /etc/farmem/events.d");
	}
	return refuse_writers(folder, &stat_of);
}

/* As run-parts has it: what editors and package managers leave behind has other names. */
static bool is_program(const char *name, const char *path, struct stat *stat_of)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-";

	if (stat(path, stat_of) || !S_ISREG(stat_of->st_mode) || !(stat_of->st_mode & 0111))
		return false;
	if (!name[strspn(name, letters)])
		return true;
	fail("%s is not run: its name has more than letters, digits, - and _", path);
	return false;
}

static void run_one(const char *path, const struct change *change)
{
	int rc = command_run((char *[]){ (char *)path, NULL }, HOOK_SECONDS,
			     COMMAND_ASIDE | COMMAND_GROUP);

	if (!rc)
		return;
	if (rc == COMMAND_TIMEOUT)
		fail("%s took longer than %d s and was killed", path, HOOK_SECONDS);
	else
		fail("%s ended with code %d", path, rc);
	next_step("FARMEM_OBJECT=%s FARMEM_NAME=%s FARMEM_OLD=%s FARMEM_NEW=%s FARMEM_TIME=%s %s",
		  change->object, change->name, change->old ? change->old : "", change->new,
		  change->time, path);
}

static void set_environment(const struct change *change)
{
	setenv("FARMEM_OBJECT", change->object, true);
	setenv("FARMEM_NAME", change->name, true);
	setenv("FARMEM_OLD", change->old ? change->old : "", true);
	setenv("FARMEM_NEW", change->new, true);
	setenv("FARMEM_TIME", change->time, true);
}

/**
 * hook_run() - run the programs of a folder for a change, in the order of their names
 * @folder: looked at anew each time
 *
 * What is wrong with a program is said, and the next one runs all the same.
 */
void hook_run(const char *folder, const struct change *change)
{
	if (hook_check(folder))
		return;
	set_environment(change);
	EACH_NAME(name, name_list("%s", folder)) {
		CLEANUP_FREE char *path = text_format("%s/%s", folder, *name.at);
		struct stat stat_of;

		/* The rest of this change's programs, if it is time to end. */
		if (!stop_wait(-1, 0))
			return;
		if (is_program(*name.at, path, &stat_of) && !refuse_writers(path, &stat_of))
			run_one(path, change);
	}
}
