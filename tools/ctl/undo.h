/* SPDX-License-Identifier: GPL-2.0 */
/*
 * undo.h - what a command has made so far, so that a failure takes it back.
 */
#ifndef FARMEMCTL_UNDO_H
#define FARMEMCTL_UNDO_H

#include <stdbool.h>

#define UNDO_MAX 4	/* a session and a volume, each made and powered on */

struct undo_step {
	const char *kind;
	char *name;
	bool power;		/* switch off, otherwise remove */
};

struct undo {
	struct undo_step step[UNDO_MAX];
	int count;
};

void undo_make(struct undo *undo, const char *kind, const char *name);
void undo_power(struct undo *undo, const char *kind, const char *name);
void undo_run(struct undo *undo);
void undo_forget(struct undo *undo);

#endif
