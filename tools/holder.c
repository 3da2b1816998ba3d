// SPDX-License-Identifier: GPL-2.0
#include "holder.h"

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
};

struct holder {
	enum holder_kind kind;
	char *what;	/* the swap area, the mount point or the device on top */
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

/* mountinfo: "36 35 98:0 /root /mount/point options ..." (proc(5)). */
static bool match_mount(const char *line, const char *number, struct holder *holder)
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

static bool find_device(const char *device, struct holder *holder)
{
	CLEANUP_FREE char *path = text_format("%s/block/%s/holders", sysfs_root(), device);
	char **names = name_list(path);

	if (names && *names) {
		holder->kind = HOLDER_DEVICE;
		holder->what = text_copy(*names);
	}
	name_list_free(names);
	return holder->kind != HOLDER_NONE;
}

static struct holder find(const char *device)
{
	CLEANUP_FREE char *number = disk_attr(device, "dev");
	struct holder holder = { 0 };

	if (!scan("swaps", match_swap, device, &holder) &&
	    !(number && scan("self/mountinfo", match_mount, number, &holder)))
		find_device(device, &holder);
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
	struct holder holder;

	if (!device || !*device)
		return RC_OK;
	holder = find(device);
	what = holder.what;
	switch (holder.kind) {
	case HOLDER_SWAP:
		fail("/dev/%s is in use as swap", device);
		return next_step("swapoff %s", what);
	case HOLDER_MOUNT:
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
