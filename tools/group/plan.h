/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - commands that change a group, one after the other, and what takes each back.
 *
 * A person could type each of them: --dry-run prints them.
 */
#ifndef GROUP_PLAN_H
#define GROUP_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "array.h"

/* A volume's disk by a name that is known before it is made; /dev/farmemN when a step runs. */
#define DISK_LINKS "/dev/farmem/by-name"
#define NEEDS_NO_LINK "FARMEM_NEEDS_NO_LINK"	/* in the environment of what a plan runs */

/**
 * struct plan_step - a command
 * @words: the command, NULL behind the last
 * @undo: takes it back; NULL if nothing has to
 * @copies: it is done when the array has this; the words are what a person types to wait
 */
struct plan_step {
	char **words;
	char **undo;
	struct array_goal *copies;
};

/**
 * struct plan - what is to be done
 * @step: the commands, in their order
 * @count: of them
 * @regardless: a signal does not end it: it takes back what was made
 * @quiet: a step that fails says nothing
 * @failed: the words of the step that failed, NULL if a signal ended plan_run()
 */
struct plan {
	struct plan_step *step;
	size_t count;
	bool regardless;
	bool quiet;
	char *const *failed;
};

void plan_do(struct plan *plan, const char *word, ...) __attribute__((sentinel));
void plan_add_word(struct plan *plan, const char *word);
void plan_add_words(struct plan *plan, const char *word, ...) __attribute__((sentinel));
void plan_undo(struct plan *plan, const char *word, ...) __attribute__((sentinel));
void plan_add_undo(struct plan *plan, const char *word);
void plan_wait(struct plan *plan, const struct array_goal *goal);
void plan_print(const struct plan *plan);
int plan_run(struct plan *plan);
int plan_carry_out(struct plan *plan, bool dry_run);
void plan_free(struct plan *plan);

#endif /* GROUP_PLAN_H */
