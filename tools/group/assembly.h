/* SPDX-License-Identifier: GPL-2.0 */
/*
 * assembly.h - of which chunks a pair may start: pure, without a look at the machine
 *
 * A leg that comes back alone may be the one that md had thrown out: it lacks what was written
 * since, and it does not know.  What the other one's superblock says is the proof, and the
 * group's record is where that leg can't be read.
 */
#ifndef GROUP_ASSEMBLY_H
#define GROUP_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

#include "array.h"

/**
 * struct assembly_leg - a chunk that a pair may start with
 * @trace: what it says of the array
 * @current: it may hold the newest bytes, by the record
 * @use: the pair is to start with it: assembly_choose() sets it
 */
struct assembly_leg {
	struct array_trace trace;
	bool current;
	bool use;
};

/* What assembly_choose() finds, the best first. */
enum assembly {
	ASSEMBLY_WHOLE,		/* nothing that is away holds anything that is missing */
	ASSEMBLY_SOME,		/* what is away holds the same bytes: it is worth a wait */
	ASSEMBLY_UNSURE,	/* what is away may hold newer bytes */
	ASSEMBLY_LOST,		/* no chunk holds the bytes any more */
};

/**
 * assembly_choose() - choose the chunks that a pair starts with
 * @legs: its chunks
 * @count: of them
 * @clean: nothing was written since the record was, so that all current chunks are the same
 * @force: take the newest of what is there, whatever is away
 *
 * Return: ASSEMBLY_UNSURE and ASSEMBLY_LOST: it must not start.
 */
enum assembly assembly_choose(struct assembly_leg *legs, size_t count, bool clean, bool force);

/**
 * assembly_may_return() - may a disk that is out of an array be re-added to it?
 * @out: what it says
 * @member: what a disk says that the array has
 *
 * md copies to it what the array has written meanwhile.  One that went on without the array's
 * disks has bytes that the array never had: it must not.
 */
bool assembly_may_return(const struct array_trace *out, const struct array_trace *member);

#endif /* GROUP_ASSEMBLY_H */
