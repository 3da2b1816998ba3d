/* SPDX-License-Identifier: GPL-2.0 */
/*
 * array.h - md's arrays, as sysfs shows them: a pair is an array of two chunks
 */
#ifndef GROUP_ARRAY_H
#define GROUP_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

/* What an array makes of one of its disks. */
enum array_leg {
	ARRAY_LEG_NONE,		/* it is in no array */
	ARRAY_LEG_FAULTY,	/* thrown out */
	ARRAY_LEG_COPYING,	/* it gets the bytes */
	ARRAY_LEG_SPARE,
	ARRAY_LEG_IN_SYNC,
	ARRAY_LEG_LOST,		/* md takes it for in sync, but its server has lost bytes of it */
};

/**
 * struct array - what an array does
 * @degraded: copies that it lacks
 * @copying: it copies to a disk, or compares all of them after a crash
 * @checking: it compares all copies because it was told to
 * @permille: of what it copies or compares
 */
struct array {
	unsigned int degraded;
	bool copying;
	bool checking;
	unsigned int permille;
};

#define ARRAY_NUMBERS	16	/* of disks, that are looked at */
#define ARRAY_OUT	(-1)	/* no part of the array */

/* Whether a disk can tell of its array. */
enum array_sight {
	ARRAY_SIGHT_AWAY,	/* it is not there, or does not answer */
	ARRAY_SIGHT_EMPTY,	/* it was in no array ever */
	ARRAY_SIGHT_THERE,
};

/**
 * struct array_trace - what a disk says of the array that it was in: md's superblock
 * @sight: whether it says anything
 * @partial: it was being copied to
 * @events: changes of the array's state that it has seen
 * @number: of the disk in the array
 * @role: of each number, the place that it had by then, or ARRAY_OUT
 */
struct array_trace {
	enum array_sight sight;
	bool partial;
	uint64_t events;
	int number;
	int role[ARRAY_NUMBERS];
};

/**
 * struct array_goal - what to wait for
 * @path: of the array, /dev/md/...
 * @volume: holds all bytes; NULL: nothing is copied or compared any more
 * @instead: of this one, which is then out; NULL: of none
 */
struct array_goal {
	char *path;
	char *volume;
	char *instead;
};

char *array_path(const char *group, unsigned int pair);
char *array_at(const char *path);
char *array_over(const char *disk);
void array_read(const char *name, struct array *array);
bool array_has_lost(const char *disk);
enum array_leg array_leg(const char *disk);
uint64_t array_number(const char *name, const char *attr);
void array_examine(const char *disk, struct array_trace *trace);
void array_rewind(const char *path);
void array_thaw(const char *path);
void array_keep(const char *path, const char *disk);
bool array_stands_still(const char *path);
int array_wait(const struct array_goal *goal);

#endif /* GROUP_ARRAY_H */
