// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include <ctype.h>
#include <libmount.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "attr.h"

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

/**
 * struct disk - a disk, or a partition of it
 * @path: in sysfs
 * @name: "farmem0", "farmem0p1"
 * @number: the kernel's
 * @btrfs: of a btrfs over several devices all their names; NULL: it is in none
 */
struct disk {
	const char *path;
	const char *name;
	dev_t number;
	char **btrfs;
};

/* Whatever link it goes by: /dev/disk/by-uuid/..., but no other file of that name. */
static bool names_device(const char *path, const char *device)
{
	CLEANUP_FREE char *node = text_format("%s/dev/%s", file_root(), device);
	CLEANUP_FREE char *real = realpath(path, NULL);

	return !strcmp(real ? real : path, node);
}

static dev_t number_of(const char *path)
{
	CLEANUP_FREE char *text = attr_read("%s/dev", path);
	unsigned int major, minor;

	return text && sscanf(text, "%u:%u", &major, &minor) == 2 ? makedev(major, minor) : 0;
}

/* The tables of mounts name one device of a file system, sysfs all. */
static char **btrfs_around(const char *device)
{
	EACH_NAME(uuid, name_list("%s/fs/btrfs", sysfs_root())) {
		CLEANUP_FREE char *devices = text_format("%s/fs/btrfs/%s/devices", sysfs_root(),
							 *uuid.at);

		if (!file_missing("%s/%s", devices, device))
			return name_list("%s", devices);
	}
	return NULL;
}

/* btrfs has device numbers of its own: there the source tells. */
static bool is_on(struct libmnt_fs *fs, const struct disk *disk)
{
	const char *source = mnt_fs_get_source(fs);
	char **name;

	if (disk->number && mnt_fs_get_devno(fs) == disk->number)
		return true;
	if (!source)
		return false;
	for (name = disk->btrfs; name && *name; name++)
		if (names_device(source, *name))
			return true;
	return names_device(source, disk->name);
}

/* The first entry of a table that is on @disk, as @tell() names it. */
static bool find_entry(struct libmnt_table *table, const struct disk *disk,
		       const char *(*tell)(struct libmnt_fs *fs), enum holder_kind kind,
		       struct holder *holder)
{
	struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *fs;

	while (!holder->kind && !mnt_table_next_fs(table, iter, &fs)) {
		if (!is_on(fs, disk))
			continue;
		holder->kind = kind;
		holder->what = text_clean(text_copy(tell(fs)));
	}
	mnt_free_iter(iter);
	return holder->kind != HOLDER_NONE;
}

static bool is_swap(const struct disk *disk, struct holder *holder)
{
	CLEANUP_FREE char *path = text_format("%s/swaps", proc_root());
	struct libmnt_table *table = mnt_new_table();
	bool found = !mnt_table_parse_swaps(table, path) &&
		     find_entry(table, disk, mnt_fs_get_source, HOLDER_SWAP, holder);

	mnt_unref_table(table);
	return found;
}

/* @process: "self", or a number */
static bool is_mounted(const struct disk *disk, const char *process, struct holder *holder)
{
	CLEANUP_FREE char *path = text_format("%s/%s/mountinfo", proc_root(), process);
	struct libmnt_table *table = mnt_new_table_from_file(path);
	bool found = table && find_entry(table, disk, mnt_fs_get_target, HOLDER_MOUNT, holder);

	mnt_unref_table(table);
	return found;
}

static bool take(struct holder *holder, enum holder_kind kind, const char *what)
{
	holder->kind = kind;
	holder->what = text_copy(what);
	return true;
}

/* dm and md name the devices on which they stand; @path is of a disk or a partition. */
static bool find_device(const char *path, struct holder *holder)
{
	EACH_NAME(device, name_list("%s/holders", path))
		return take(holder, HOLDER_DEVICE, *device.at);
	return false;
}

/* Loop devices and zram open a disk as a file would be, which no table shows. */
static bool find_backed(const char *device, const char *prefix, const char *file,
			enum holder_kind kind, struct holder *holder)
{
	EACH_NAME(disk, name_list("%s/block", sysfs_root())) {
		CLEANUP_FREE char *backing = NULL;

		if (strncmp(*disk.at, prefix, strlen(prefix)))
			continue;
		backing = disk_attr(*disk.at, file);
		if (backing && names_device(backing, device))
			return take(holder, kind, *disk.at);
	}
	return false;
}

static bool find_here(const struct disk *disk, struct holder *holder)
{
	return is_swap(disk, holder) || is_mounted(disk, "self", holder) ||
	       find_device(disk->path, holder) ||
	       find_backed(disk->name, "loop", "loop/backing_file", HOLDER_LOOP, holder) ||
	       find_backed(disk->name, "zram", "backing_dev", HOLDER_ZRAM, holder);
}

static bool mounted_elsewhere(const struct disk *disk, struct holder *holder)
{
	EACH_NAME(process, name_list("%s", proc_root()))
		if (isdigit((unsigned char)**process.at) && is_mounted(disk, *process.at, holder)) {
			holder->namespace = text_copy(*process.at);
			return true;
		}
	return false;
}

static bool try_one(const char *path, const char *name, struct holder *holder,
		    bool (*try)(const struct disk *disk, struct holder *holder))
{
	struct disk disk = {
		.path = path, .name = name, .number = number_of(path), .btrfs = btrfs_around(name),
	};
	bool found = try(&disk, holder);

	name_list_free(disk.btrfs);
	return found;
}

/* Try the disk, then each of its partitions. */
static void each_part(const char *device, struct holder *holder,
		      bool (*try)(const struct disk *disk, struct holder *holder))
{
	CLEANUP_FREE char *path = text_format("%s/block/%s", sysfs_root(), device);

	if (try_one(path, device, holder, try))
		return;
	EACH_NAME(file, name_list("%s", path)) {
		CLEANUP_FREE char *part = text_format("%s/%s", path, *file.at);

		if (!file_missing("%s/partition", part) && try_one(part, *file.at, holder, try))
			return;
	}
}

/** holder_find() - "swap", the mount point or the device on top, to free; NULL: not in use */
char *holder_find(const char *device)
{
	struct holder holder = { 0 };

	if (!device || !*device)
		return NULL;
	each_part(device, &holder, find_here);
	if (holder.kind != HOLDER_SWAP)
		return holder.what;
	free(holder.what);
	return text_copy("swap");
}

/* The disk and its partitions, as a shell takes them, to free. */
static char *nodes_of(const char *device)
{
	CLEANUP_FREE char *path = text_format("%s/block/%s", sysfs_root(), device);
	char *nodes = text_format("/dev/%s", device);

	EACH_NAME(file, name_list("%s", path))
		if (!file_missing("%s/%s/partition", path, *file.at))
			text_add(&nodes, " /dev/", *file.at);
	return nodes;
}

/** holder_unseen() - say that a disk is open, by nothing that holder_refuse() finds: RC_FAILURE */
int holder_unseen(const char *device)
{
	CLEANUP_FREE char *nodes = nodes_of(device);

	fail("/dev/%s is open: a process or the kernel uses it", device);
	return next_step("fuser -v %s    (no process: is it the external journal or log of a file system, or exported by nvmet or LIO?)",
			 nodes);
}

/** holder_refuse() - RC_OK if a disk is free, RC_FAILURE after naming the holder */
int holder_refuse(const char *device)
{
	CLEANUP_FREE char *what = NULL;
	CLEANUP_FREE char *namespace = NULL;
	struct holder holder = { 0 };
	const char *quote;

	if (!device || !*device)
		return RC_OK;
	each_part(device, &holder, find_here);
	if (!holder.kind)
		each_part(device, &holder, mounted_elsewhere);
	what = holder.what;
	namespace = holder.namespace;
	switch (holder.kind) {
	case HOLDER_SWAP:
		fail("/dev/%s is in use as swap", device);
		return next_step("swapoff %s", what);
	case HOLDER_LOOP:
		fail("/dev/%s is in use by loop device /dev/%s", device, what);
		return next_step("losetup -d /dev/%s", what);
	case HOLDER_ZRAM:
		fail("/dev/%s is the backing device of /dev/%s", device, what);
		return next_step("swapoff /dev/%s; echo 1 >/sys/block/%s/reset", what, what);
	case HOLDER_MOUNT:
		/* For a shell to take it: blanks may be in it. */
		quote = strchr(what, ' ') ? "'" : "";
		if (namespace) {
			fail("/dev/%s is mounted on %s, in the mount namespace of process %s", device, what,
			     namespace);
			return next_step("nsenter -t %s -m umount %s%s%s", namespace, quote, what,
					 quote);
		}
		fail("/dev/%s is mounted on %s", device, what);
		return next_step("umount %s%s%s", quote, what, quote);
	case HOLDER_DEVICE:
		fail("/dev/%s is in use by /dev/%s", device, what);
		return next_step("lsblk /dev/%s    (then stop the devices on it: dmsetup remove, mdadm --stop)",
				 device);
	default:
		return RC_OK;
	}
}
