// SPDX-License-Identifier: GPL-2.0
#include "array.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/types.h>
#include <linux/raid/md_p.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "object.h"
#include "progress.h"
#include "../ctl/commands.h"

#define SUPER_OFFSET	4096	/* md's superblock, of version 1.2 */
#define SUPER_BYTES	4096
#define LOOK_SECONDS	0.2
/* md begins to copy in this time, or it never does: it may have met pages that it can't read. */
#define BEGIN_MS	30000
/* What md reads of waits for its server, maybe for ever: others are not to wait for that. */
#define SOURCE_MS	20000
/*
 * KiB a second that md copies at least while other I/O is on. Its own least is 1,000, and a chunk
 * of 2 GiB would have one copy for half an hour.
 */
#define COPY_SPEED	"100000"

/** array_path() - where mdadm is to put the array of a pair, to free */
char *array_path(const char *group, unsigned int pair)
{
	return text_format("/dev/md/%s-p%u", group, pair);
}

static char *read_attr(const char *name, const char *attr)
{
	return attr_read("%s/block/%s/md/%s", sysfs_root(), name, attr);
}

/**
 * array_at() - the kernel's name of the array with that path, to free; NULL: there is none
 *
 * Where udev does not run, disk and path outlive the array.
 */
char *array_at(const char *path)
{
	CLEANUP_FREE char *full = text_format("%s%s", file_root(), path);
	CLEANUP_FREE char *real = realpath(full, NULL);
	const char *name = real ? strrchr(real, '/') + 1 : "";
	CLEANUP_FREE char *state = read_attr(name, "array_state");

	return state && strcmp(state, "clear") ? text_copy(name) : NULL;
}

/** array_over() - the kernel's name of the array that a disk is in, to free, or NULL */
char *array_over(const char *disk)
{
	if (!disk || !*disk)
		return NULL;
	EACH_NAME(holder, name_list("%s/block/%s/holders", sysfs_root(), disk))
		if (!strncmp(*holder.at, "md", 2))
			return text_copy(*holder.at);
	return NULL;
}

/** array_number() - an attribute that is a number, 0 if it is none */
uint64_t array_number(const char *name, const char *attr)
{
	CLEANUP_FREE char *text = read_attr(name, attr);

	return text ? strtoull(text, NULL, 10) : 0;
}

/** array_read() - what the array with that name, of the kernel's, does */
void array_read(const char *name, struct array *array)
{
	CLEANUP_FREE char *action = read_attr(name, "sync_action");
	CLEANUP_FREE char *completed = read_attr(name, "sync_completed");
	uint64_t done, total;

	*array = (struct array) {
		.degraded = array_number(name, "degraded"),
		.copying = action && (!strcmp(action, "recover") || !strcmp(action, "resync")),
		.checking = action && (!strcmp(action, "check") || !strcmp(action, "repair")),
	};
	/* "none", or "sectors / sectors"; md has it delayed where another copies already. */
	if (completed && sscanf(completed, "%" SCNu64 " / %" SCNu64, &done, &total) == 2 && total)
		array->permille = done * 1000 / total;
}

/* In sysfs "in_sync,want_replacement" and the like. */
static bool has_word(const char *list, const char *word)
{
	const char *at = strstr(list, word);

	return at && (at == list || at[-1] == ',') && strchr(",", at[strlen(word)]);
}

/** array_has_lost() - has its server lost bytes of a disk?  Without I/O md does not notice */
bool array_has_lost(const char *disk)
{
	CLEANUP_FREE char *pages = attr_read("%s/block/%s/farmem/lost_pages", sysfs_root(), disk ? disk : "");

	return pages && strcmp(pages, "0");
}

/** array_leg() - what its array makes of a disk */
enum array_leg array_leg(const char *disk)
{
	CLEANUP_FREE char *name = array_over(disk);
	CLEANUP_FREE char *attr = text_format("dev-%s/state", disk ? disk : "");
	CLEANUP_FREE char *state = name ? read_attr(name, attr) : NULL;
	struct array array;

	if (!state)
		return ARRAY_LEG_NONE;
	if (has_word(state, "faulty"))
		return ARRAY_LEG_FAULTY;
	if (has_word(state, "in_sync"))
		return array_has_lost(disk) ? ARRAY_LEG_LOST : ARRAY_LEG_IN_SYNC;
	array_read(name, &array);
	return array.copying ? ARRAY_LEG_COPYING : ARRAY_LEG_SPARE;
}

/* As md's calc_sb_1_csum(): of all 32-bit words that count, with the sum as zero. */
static uint32_t sum_of(const struct mdp_superblock_1 *super, size_t bytes)
{
	const __le32 *word = (const __le32 *)super;
	uint64_t sum = 0;

	for (; bytes >= sizeof(*word); bytes -= sizeof(*word))
		sum += le32toh(*word++);
	if (bytes)
		sum += le16toh(*(const __le16 *)word);
	sum -= le32toh(super->sb_csum);
	return (uint32_t)sum + (uint32_t)(sum >> 32);
}

/* False: it is half old and half new, or not md's. */
static bool read_trace(const struct mdp_superblock_1 *super, size_t bytes, struct array_trace *trace)
{
	size_t count = le32toh(super->max_dev), used = offsetof(struct mdp_superblock_1, dev_roles);
	size_t number;

	if (count > (bytes - used) / sizeof(super->dev_roles[0]))
		return false;
	used += count * sizeof(super->dev_roles[0]);
	if (le32toh(super->major_version) != 1 || sum_of(super, used) != le32toh(super->sb_csum))
		return false;
	trace->partial = le32toh(super->feature_map) & MD_FEATURE_RECOVERY_OFFSET;
	trace->events = le64toh(super->events);
	trace->number = (int)le32toh(super->dev_number);
	for (number = 0; number < ARRAY_NUMBERS && number < count; number++)
		if (le16toh(super->dev_roles[number]) < MD_DISK_ROLE_MAX)
			trace->role[number] = le16toh(super->dev_roles[number]);
	return true;
}

/* What md has written goes by the page cache: so is it read. */
static bool read_super(const char *disk, void *block)
{
	CLEANUP_FREE char *path = text_format("%s/dev/%s", file_root(), disk);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_DIRECT);
	bool whole;

	if (fd < 0 && errno == EINVAL)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	whole = fd >= 0 && pread(fd, block, SUPER_BYTES, SUPER_OFFSET) == SUPER_BYTES;
	if (fd >= 0)
		close(fd);
	return whole;
}

/**
 * array_examine() - what a disk says of its array, in the superblock that md(4) calls 1.2
 * @disk: the kernel's name
 * @trace: ARRAY_SIGHT_AWAY if that can't be read, or a crash came while it was written;
 *         ARRAY_SIGHT_EMPTY if there is none
 */
void array_examine(const char *disk, struct array_trace *trace)
{
	struct mdp_superblock_1 *super = checked(aligned_alloc(SUPER_BYTES, SUPER_BYTES));

	*trace = (struct array_trace) { .sight = ARRAY_SIGHT_AWAY, .number = ARRAY_OUT };
	memset(trace->role, 0xff, sizeof(trace->role));
	if (!read_super(disk, super)) {
		free(super);
		return;
	}
	if (le32toh(super->magic) != MD_SB_MAGIC)
		trace->sight = ARRAY_SIGHT_EMPTY;
	else if (read_trace(super, SUPER_BYTES, trace))
		trace->sight = ARRAY_SIGHT_THERE;
	free(super);
}

static enum array_leg leg_of_volume(const char *volume)
{
	CLEANUP_FREE char *disk = object_get(VOLUMES, volume, "device");

	return array_leg(disk);
}

/* 1: reached, 0: not yet, -1: it can't be. */
static int goal_look(const struct array_goal *goal, const struct array *array)
{
	enum array_leg leg;

	if (!goal->volume)
		return !array->copying && !array->checking;
	leg = leg_of_volume(goal->volume);
	if (leg == ARRAY_LEG_NONE || leg == ARRAY_LEG_FAULTY || leg == ARRAY_LEG_LOST)
		return -1;
	return leg == ARRAY_LEG_IN_SYNC && !array->copying &&
	       (!goal->instead || leg_of_volume(goal->instead) != ARRAY_LEG_IN_SYNC);
}

static void write_attr(const char *path, const char *attr, const char *value)
{
	CLEANUP_FREE char *name = array_at(path);
	CLEANUP_FREE char *file = text_format("%s/block/%s/md/%s", sysfs_root(), name ? name : "", attr);

	attr_write(file, value);
}

/** array_rewind() - the next check begins at the first sector, not where one was interrupted (md(4)) */
void array_rewind(const char *path)
{
	write_attr(path, "sync_min", "0");
}

/** array_thaw() - mdadm freezes an array while it adds a disk, and if it is killed then, md copies nothing any more */
void array_thaw(const char *path)
{
	CLEANUP_FREE char *name = array_at(path);
	CLEANUP_FREE char *action = name ? read_attr(name, "sync_action") : NULL;

	if (action && !strcmp(action, "frozen"))
		write_attr(path, "sync_action", "idle");
}

/**
 * array_keep() - a disk that a failed replacement has marked is to be replaced no more
 * @path: of its array
 * @disk: the kernel's name, or NULL
 */
void array_keep(const char *path, const char *disk)
{
	CLEANUP_FREE char *name = array_at(path);
	CLEANUP_FREE char *attr = text_format("dev-%s/state", disk ? disk : "");
	CLEANUP_FREE char *state = name ? read_attr(name, attr) : NULL;

	if (state && has_word(state, "want_replacement"))
		write_attr(path, attr, "-want_replacement");
}

/* Is there a disk to read all bytes of whose server answers? */
static bool has_source(const char *name)
{
	EACH_NAME(entry, name_list("%s/block/%s/md", sysfs_root(), name)) {
		CLEANUP_FREE char *attr = text_format("%s/state", *entry.at);
		CLEANUP_FREE char *state = strncmp(*entry.at, "dev-", 4) ? NULL : read_attr(name, attr);
		CLEANUP_FREE char *volume = attr_read("%s/block/%s/farmem/state", sysfs_root(), *entry.at + (state ? 4 : 0));

		if (state && has_word(state, "in_sync") && volume && !strcmp(volume, "live"))
			return true;
	}
	return false;
}

static int wait_for(const struct array_goal *goal)
{
	unsigned int shown = UINT32_MAX;
	long idle_since = clock_ms(), read_since = idle_since;
	struct array array;
	int look;

	do {
		CLEANUP_FREE char *name = array_at(goal->path);

		if (!name)
			return fail("%s is gone", goal->path);
		array_read(name, &array);
		look = goal_look(goal, &array);
		if (array.copying || array.checking)
			idle_since = clock_ms();
		else if (!look && clock_ms() - idle_since > BEGIN_MS)
			return fail("%s does not copy: the kernel's log may tell of pages that can't be read", goal->path);
		if (has_source(name))
			read_since = clock_ms();
		else if (!look && clock_ms() - read_since > SOURCE_MS)
			return fail("%s stands still until a server of it that holds all bytes answers", goal->path);
		if (!look && array.permille / 10 != shown) {
			shown = array.permille / 10;
			progress_end();
			progress_begin("%s %s, %u %%", goal->path,
				       array.checking ? "compares its copies" : "copies", shown);
		}
	} while (!look && stop_wait(-1, LOOK_SECONDS));
	progress_end();
	if (look < 0 && leg_of_volume(goal->volume) == ARRAY_LEG_LOST)
		return fail("volume %s has lost bytes: its server came back without them", goal->volume);
	if (look < 0)
		return fail("%s threw out volume %s before it held all bytes", goal->path, goal->volume);
	return look ? RC_OK : fail("interrupted");
}

static bool is_copying(const char *path)
{
	CLEANUP_FREE char *name = array_at(path);
	struct array array = { 0 };

	if (name)
		array_read(name, &array);
	return array.copying;
}

/** array_stands_still() - does an array copy, and no server answers that it could copy from? */
bool array_stands_still(const char *path)
{
	CLEANUP_FREE char *name = array_at(path);

	return name && is_copying(path) && !has_source(name);
}

/**
 * array_wait() - RC_OK when the goal is reached, or RC_FAILURE after saying why it is not
 *
 * Other I/O is slower while a chunk is copied, but not later, when all of an array is compared.
 */
int array_wait(const struct array_goal *goal)
{
	bool hurry = goal->volume || is_copying(goal->path);
	int rc;

	if (hurry)
		write_attr(goal->path, "sync_speed_min", COPY_SPEED);
	array_thaw(goal->path);
	rc = wait_for(goal);
	if (hurry)
		write_attr(goal->path, "sync_speed_min", "system");
	return rc;
}
