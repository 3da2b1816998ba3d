// SPDX-License-Identifier: GPL-2.0
#include "commands.h"

#include "attr.h"
#include "object.h"

static void push(struct undo *undo, const char *kind, const char *name, bool power)
{
	undo->step[undo->count++] = (struct undo_step) {
		.kind = kind,
		.name = text_copy(name),
		.power = power,
	};
}

/** undo_make() - remember that the object @name of @kind was made */
void undo_make(struct undo *undo, const char *kind, const char *name)
{
	push(undo, kind, name, false);
}

/** undo_power() - remember that the object @name of @kind was powered on */
void undo_power(struct undo *undo, const char *kind, const char *name)
{
	push(undo, kind, name, true);
}

static void take_back(const struct undo_step *step)
{
	if (step->power) {
		/* Never a release: the volume may hold data of an earlier life. */
		object_power(step->kind, step->name, false);
		return;
	}
	/* One that failed to start may count as on, and then could not go. */
	if (object_powered(step->kind, step->name))
		object_power(step->kind, step->name, false);
	if (object_remove(step->kind, step->name)) {
		CLEANUP_FREE char *path = object_path(step->kind, step->name);

		fail("%s was made and could not be removed", path);
		next_step("rmdir '%s'", path);
	}
}

/** undo_run() - take everything back, the last first */
void undo_run(struct undo *undo)
{
	int i;

	for (i = undo->count - 1; i >= 0; i--)
		take_back(&undo->step[i]);
	undo_forget(undo);
}

/** undo_forget() - keep what was made */
void undo_forget(struct undo *undo)
{
	while (undo->count > 0)
		free(undo->step[--undo->count].name);
}
