// SPDX-License-Identifier: GPL-2.0
#include "lvm.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attr.h"
#include "record.h"

#define FOLDER		GROUP_FOLDER "/lvm"	/* with a folder for each group */
#define ASK_SECONDS	300

static bool has_udev(void)
{
	return !file_missing("%s/udev/control", run_root());
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	size_t length = strlen(text);
	bool whole = fd >= 0 && write(fd, text, length) == (ssize_t)length;
	int err = whole ? 0 : errno;

	if (fd >= 0)
		close(fd);
	return whole ? RC_OK : fail("%s can't be written: %s", path, strerror(err));
}

/**
 * lvm_prepare() - write the settings that LVM and mdadm are to use for a group
 *
 * LVM looks at the group's own disks alone: those of another one may wait for their servers.
 * A leg with bad blocks in a list would go on (mdadm.conf(5), bbl): one that fails a write
 * is to leave.
 * Return: RC_OK, or RC_FAILURE after saying what could not be written.
 */
int lvm_prepare(const struct group *group)
{
	CLEANUP_FREE char *top = text_format("%s" GROUP_FOLDER, file_root());
	CLEANUP_FREE char *folders = text_format("%s" FOLDER, file_root());
	CLEANUP_FREE char *folder = text_format("%s/%s", folders, group->name);
	CLEANUP_FREE char *config = text_format("%s/lvm.conf", folder);
	CLEANUP_FREE char *mdadm = text_format("%s" MDADM_CONFIG, file_root());
	CLEANUP_FREE char *disks = group->copies > 1 ? text_format("^/dev/md/%s-p[0-9]+$", group->name) :
						       text_copy("^/dev/farmem[0-9]+$");
	CLEANUP_FREE char *text = text_format(
		"# Of farmemctl group, which writes this file anew.\n"
		"devices {\n"
		"\ttypes = [ \"farmem\", 16 ]\n"
		"\tfilter = [ \"a|%2$s|\", \"r|.*|\" ]\n"
		"\tuse_devicesfile = 0\n"
		"\tobtain_device_list_from_udev = 0\n"
		"\tissue_discards = 1\n"
		"}\n"
		"activation {\n"
		"\tudev_sync = %1$d\n"
		"\tudev_rules = %1$d\n"
		"\tmonitoring = 0\n"
		"}\n"
		"global {\n"
		"\tuse_lvmpolld = 0\n"
		"}\n"
		"backup {\n"
		"\tarchive = 0\n"
		"}\n", has_udev(), disks);

	mkdir(top, 0755);
	mkdir(folders, 0755);
	mkdir(folder, 0755);
	return write_file(config, text) || write_file(mdadm, "# Of farmemctl group.\nCREATE bbl=no\n") ?
		       RC_FAILURE : RC_OK;
}

static char *settings_of(const char *group)
{
	return text_format("LVM_SYSTEM_DIR=%s" FOLDER "/%s", file_root(), group);
}

static void add_words(struct plan *plan, const char *group, const char *command,
		      void (*add)(struct plan *, const char *))
{
	CLEANUP_FREE char *folder = settings_of(group);

	add(plan, "env");
	add(plan, folder);
	if (!has_udev())
		add(plan, "DM_DISABLE_UDEV=1");
	add(plan, command);
	add(plan, "--quiet");
}

/** lvm_do() - one more command, of LVM; plan_add_word() adds its arguments */
void lvm_do(struct plan *plan, const char *group, const char *command)
{
	plan_do(plan, NULL, NULL);
	add_words(plan, group, command, plan_add_word);
}

/** lvm_undo() - it takes the last command back; plan_add_undo() adds its arguments */
void lvm_undo(struct plan *plan, const char *group, const char *command)
{
	add_words(plan, group, command, plan_add_undo);
}

/** lvm_device() - the path of a group's device, to free */
char *lvm_device(const char *group)
{
	return text_format("/dev/%s/volume", group);
}

/** lvm_node() - the kernel's name of a group's device, "dm-3", to free; NULL: it is off */
char *lvm_node(const char *group)
{
	CLEANUP_FREE char *path = text_format("%s/dev/%s/volume", file_root(), group);
	CLEANUP_FREE char *real = realpath(path, NULL);

	return real ? text_copy(strrchr(real, '/') + 1) : NULL;
}

/** lvm_bytes() - the size of a group's device, 0 if it is off */
uint64_t lvm_bytes(const char *group)
{
	CLEANUP_FREE char *node = lvm_node(group);
	CLEANUP_FREE char *sectors = node ? attr_read("%s/block/%s/size", sysfs_root(), node) : NULL;

	return sectors ? strtoull(sectors, NULL, 10) << 9 : 0;
}

/* What a command of LVM's answers in JSON: its only list, for json_decref(@all); NULL: it failed. */
static json_t *ask(const char *group, const char *command, const char *list, const char *columns, json_t **all)
{
	CLEANUP_FREE char *folder = settings_of(group);
	CLEANUP_FREE char *said = NULL;
	int rc = command_ask(&said, ASK_SECONDS, "env", folder, has_udev() ? "DM_DISABLE_UDEV=" : "DM_DISABLE_UDEV=1",
			     command, "--reportformat", "json", "--units", "b", "--nosuffix", "--options", columns, NULL);

	*all = rc ? NULL : json_loads(said, 0, NULL);
	return json_object_get(json_array_get(json_object_get(*all, "report"), 0), list);
}

static bool field_is(const json_t *entry, const char *field, const char *value)
{
	const char *text = json_string_value(json_object_get(entry, field));

	return text && !strcmp(text, value);
}

/** lvm_has() - does LVM know the group, on the disks that are there?  RC_OK or RC_FAILURE */
int lvm_has(const char *group, bool *has)
{
	json_t *all, *entry;
	json_t *list = ask(group, "vgs", "vg", "vg_name", &all);
	bool answered = list;
	size_t i;

	*has = false;
	json_array_foreach(list, i, entry)
		*has |= field_is(entry, "vg_name", group);
	json_decref(all);
	return answered ? RC_OK : fail("group %s: LVM does not answer, by vgs", group);
}

/**
 * lvm_misses_unused() - does a group miss disks, and its device none of them?
 *
 * Return: RC_OK, or RC_FAILURE: LVM does not say.
 */
int lvm_misses_unused(const char *group, bool *misses)
{
	json_t *all, *entry;
	json_t *list = ask(group, "pvs", "pv", "vg_name,pv_missing,pv_used", &all);
	bool answered = list, used = false;
	size_t i;

	*misses = false;
	json_array_foreach(list, i, entry)
		if (field_is(entry, "vg_name", group) && field_is(entry, "pv_missing", "missing")) {
			*misses = true;
			used |= !field_is(entry, "pv_used", "0");
		}
	*misses &= !used;
	json_decref(all);
	return answered ? RC_OK : fail("group %s: LVM does not answer, by pvs", group);
}

/**
 * lvm_has_member() - is a disk, by the kernel's name, one of the group's?
 * @used: the bytes of it that the device uses
 *
 * Return: RC_OK, or RC_FAILURE: LVM does not say.
 */
int lvm_has_member(const char *group, const char *disk, bool *has, uint64_t *used)
{
	CLEANUP_FREE char *path = text_format("/dev/%s", disk);
	json_t *all, *entry;
	json_t *list = ask(group, "pvs", "pv", "pv_name,vg_name,pv_used", &all);
	bool answered = list;
	size_t i;

	*has = false;
	*used = 0;
	json_array_foreach(list, i, entry) {
		const char *name = json_string_value(json_object_get(entry, "pv_name"));
		const char *bytes = json_string_value(json_object_get(entry, "pv_used"));
		CLEANUP_FREE char *real = name ? realpath(name, NULL) : NULL;

		if (!name || strcmp(real ? real : name, path) || !field_is(entry, "vg_name", group))
			continue;
		*has = true;
		*used = bytes ? strtoull(bytes, NULL, 10) : 0;
	}
	json_decref(all);
	return answered ? RC_OK : fail("group %s: LVM does not answer, by pvs", group);
}

/* What LVM has a group's device for. */
static int size_for_lvm(const char *group, uint64_t *bytes)
{
	json_t *all, *entry;
	json_t *list = ask(group, "lvs", "lv", "vg_name,lv_name,lv_size", &all);
	bool answered = list;
	size_t i;

	*bytes = 0;
	json_array_foreach(list, i, entry)
		if (field_is(entry, "vg_name", group) && field_is(entry, "lv_name", "volume"))
			*bytes = strtoull(json_string_value(json_object_get(entry, "lv_size")) ?: "", NULL, 10);
	json_decref(all);
	return answered ? RC_OK : fail("group %s: LVM does not answer, by lvs", group);
}

/** lvm_is_suspended() - does a group's device hold its I/O back?  It does so for a moment while LVM changes it */
bool lvm_is_suspended(const char *group)
{
	CLEANUP_FREE char *node = lvm_node(group);
	CLEANUP_FREE char *suspended = node ? attr_read("%s/block/%s/dm/suspended", sysfs_root(), node) : NULL;

	return suspended && strcmp(suspended, "0");
}

/**
 * lvm_catch_up() - a group's device becomes what LVM has it for
 *
 * An lvextend that is killed leaves it as it was, or suspended.
 * Return: RC_OK, or RC_FAILURE: LVM could not.
 */
int lvm_catch_up(const char *group, bool dry_run)
{
	CLEANUP_FREE char *volume = text_format("%s/volume", group);
	struct plan plan = { 0 };
	uint64_t bytes;

	if (size_for_lvm(group, &bytes))
		return RC_FAILURE;
	if (!lvm_is_suspended(group) && bytes <= lvm_bytes(group))
		return RC_OK;
	lvm_do(&plan, group, "lvchange");
	plan_add_words(&plan, "--refresh", volume, NULL);
	return plan_carry_out(&plan, dry_run);
}
