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
enum array_leg array_leg(const char *disk);
uint64_t array_number(const char *name, const char *attr);
int array_wait(const struct array_goal *goal);

#endif /* GROUP_ARRAY_H */
