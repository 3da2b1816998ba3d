// SPDX-License-Identifier: GPL-2.0
#include "holder.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cleanup.h"
#include "report.h"

enum holder_kind {
	HOLDER_NONE,
	HOLDER_SWAP,
	HOLDER_MOUNT,
	HOLDER_DEVICE,
	HOLDER_LOOP,
	HOLDER_ZRAM,
};

struct holder {
	enum holder_kind kind;
	char *what;	/* the swap area, the mount point or the device on top */
	char *namespace;	/* of a mount that is not ours: a process in it */
};

/* "/dev/farmem0", but not "/dev/farmem01". */
static bool names_device(const char *path, const char *device)
{
	const char *base = strrchr(path, '/');

	return !strcmp(base ? base + 1 : path, device);
}

/* Call @match for each line of a file below /proc until it returns true. */
static bool scan(const char *file, bool (*match)(const char *line, const char *key,
						 struct holder *holder),
		 const char *key, struct holder *holder)
{
	CLEANUP_FREE char *path = text_format("%s/%s", proc_root(), file);
	CLEANUP_FREE char *line = NULL;
	bool found = false;
	size_t room = 0;
	FILE *in;

	in = fopen(path, "re");
	if (!in)
		return false;
	while (!found && getline(&line, &room, in) > 0)
		found = match(line, key, holder);
	fclose(in);
	return found;
}

static bool match_swap(const char *line, const char *device, struct holder *holder)
{
	CLEANUP_FREE char *path = NULL;

	if (sscanf(line, "%ms", &path) != 1 || !names_device(path, device))
		return false;
	holder->kind = HOLDER_SWAP;
	holder->what = text_copy(path);
	return true;
}

/*
 * mountinfo: "36 35 98:0 /root /mount/point options ... - type source ..." (proc(5)).
 * btrfs and others have a device number of their own: there the source tells.
 */
static bool match_mount(const char *line, const char *device, struct holder *holder)
{
	const char *end = strstr(line, " - ");
	CLEANUP_FREE char *source = NULL;
	CLEANUP_FREE char *point = NULL;

	if (!end || sscanf(end, " - %*s %ms", &source) != 1 ||
	    sscanf(line, "%*s %*s %*s %*s %ms", &point) != 1 || !names_device(source, device))
		return false;
	holder->kind = HOLDER_MOUNT;
	holder->what = text_copy(point);
	return true;
}

/* The same by number, whatever name it was mounted by. */
static bool match_number(const char *line, const char *number, struct holder *holder)
{
	CLEANUP_FREE char *dev = NULL;
	CLEANUP_FREE char *point = NULL;

	if (sscanf(line, "%*s %*s %ms %*s %ms", &dev, &point) != 2 ||
	    strcmp(dev, number))
		return false;
	holder->kind = HOLDER_MOUNT;
	holder->what = text_copy(point);
	return true;
}

static bool is_mounted(const char *file, const char *device, const char *number,
		       struct holder *holder)
{
	return (number && scan(file, match_number, number, holder)) ||
	       scan(file, match_mount, device, holder);
}

/* dm and md say on whom they stand; @path is of a disk or a partition. */
static bool find_device(const char *path, struct holder *holder)
{
	CLEANUP_FREE char *holders = text_format("%s/holders", path);
	char **names = name_list(holders);

	if (names && *names) {
		holder->kind = HOLDER_DEVICE;
		holder->what = text_copy(*names);
	}
	name_list_free(names);
	return holder->kind != HOLDER_NONE;
}

/* Loop devices and zram open a disk as a file would be, which no table shows. */
static bool find_backed(const char *device, const char *prefix, const char *file,
			enum holder_kind kind, struct holder *holder)
{
	CLEANUP_FREE char *path = text_format("%s/block", sysfs_root());
	char **names = name_list(path);
	char **name;

	for (name = names; name && *name && !holder->kind; name++) {
		CLEANUP_FREE char *backing = NULL;

		if (strncmp(*name, prefix, strlen(prefix)))
			continue;
		backing = disk_attr(*name, file);
		if (!backing || !names_device(backing, device))
			continue;
		holder->kind = kind;
		holder->what = text_copy(*name);
	}
	name_list_free(names);
	return holder->kind != HOLDER_NONE;
}

/* @path: in sysfs, of a disk or a partition; @device: its name */
static bool find_one(const char *path, const char *device, struct holder *holder)
{
	CLEANUP_FREE char *file = text_format("%s/dev", path);
	CLEANUP_FREE char *number = attr_read(file);

	return scan("swaps", match_swap, device, holder) ||
	       is_mounted("self/mountinfo", device, number, holder) ||
	       find_device(path, holder) ||
	       find_backed(device, "loop", "loop/backing_file", HOLDER_LOOP, holder) ||
	       find_backed(device, "zram", "backing_dev", HOLDER_ZRAM, holder);
}

static bool mounted_elsewhere(const char *path, const char *device, struct holder *holder)
{
	CLEANUP_FREE char *file = text_format("%s/dev", path);
	CLEANUP_FREE char *number = attr_read(file);
	char **names = name_list(proc_root());
	char **name;

	for (name = names; name && *name && !holder->kind; name++) {
		CLEANUP_FREE char *table = text_format("%s/mountinfo", *name);

		if (isdigit((unsigned char)**name) &&
		    is_mounted(table, device, number, holder))
			holder->namespace = text_copy(*name);
	}
	name_list_free(names);
	return holder->kind != HOLDER_NONE;
}

/* Try the disk, then each of its partitions. */
static void each_part(const char *device, struct holder *holder,
		      bool (*try)(const char *path, const char *device, struct holder *holder))
{
	CLEANUP_FREE char *disk = text_format("%s/block/%s", sysfs_root(), device);
	bool found = try(disk, device, holder);
	char **names = found ? NULL : name_list(disk);
	char **name;

	for (name = names; name && *name && !found; name++) {
		CLEANUP_FREE char *path = text_format("%s/%s", disk, *name);
		CLEANUP_FREE char *mark = text_format("%s/partition", path);

		if (!file_missing(mark))
			found = try(path, *name, holder);
	}
	name_list_free(names);
}

static struct holder find(const char *device)
{
	struct holder holder = { 0 };

	each_part(device, &holder, find_one);
	return holder;
}

/**
 * holder_find() - what a disk is used for
 * @device: "farmem0", or "" for none
 *
 * Return: "swap", the mount point or the name of the device on top, to free;
 * NULL if nothing known to the kernel's tables uses it.
 */
char *holder_find(const char *device)
{
	struct holder holder;

	if (!device || !*device)
		return NULL;
	holder = find(device);
	if (holder.kind != HOLDER_SWAP)
		return holder.what;
	free(holder.what);
	return text_copy("swap");
}

/**
 * holder_refuse() - refuse to go on while a disk is in use
 * @device: "farmem0", or "" for none
 *
 * Return: RC_OK if it is free, RC_FAILURE after naming the holder.
 */
int holder_refuse(const char *device)
{
	CLEANUP_FREE char *what = NULL;
	CLEANUP_FREE char *namespace = NULL;
	struct holder holder;

	if (!device || !*device)
		return RC_OK;
	holder = find(device);
	if (!holder.kind)
		each_part(device, &holder, mounted_elsewhere);
	what = holder.what;
	namespace = holder.namespace;
	switch (holder.kind) {
	case HOLDER_SWAP:
		fail("/dev/%s is in use as swap", device);
		return next_step("swapoff %s", what);
	case HOLDER_LOOP:
		fail("/dev/%s is what /dev/%s stands on", device, what);
		return next_step("losetup -d /dev/%s", what);
	case HOLDER_ZRAM:
		fail("/dev/%s is the backing device of /dev/%s", device, what);
		return next_step("swapoff /dev/%s; echo 1 >/sys/block/%s/reset", what, what);
	case HOLDER_MOUNT:
		if (namespace) {
			fail("/dev/%s is mounted on %s where process %s lives", device, what,
			     namespace);
			return next_step("nsenter -t %s -m umount %s", namespace, what);
		}
		fail("/dev/%s is mounted on %s", device, what);
		return next_step("umount %s", what);
	case HOLDER_DEVICE:
		fail("/dev/%s is in use by /dev/%s", device, what);
		return next_step("lsblk /dev/%s    (stop what stands on it: dmsetup remove, mdadm --stop)",
				 device);
	default:
		return RC_OK;
	}
}
