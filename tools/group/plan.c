// SPDX-License-Identifier: GPL-2.0
#include "plan.h"

#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "object.h"
#include "progress.h"
#include "../ctl/commands.h"

/* A step that copies takes as long as its bytes do: it is ended by the user alone. */
#define STEP_SECONDS	(30 * 86400)

static size_t words_count(char *const *words)
{
	size_t count = 0;

	while (words && words[count])
		count++;
	return count;
}

static void words_add(char ***words, const char *word)
{
	size_t count = words_count(*words);

	*words = checked(reallocarray(*words, count + 2, sizeof(char *)));
	(*words)[count] = text_copy(word);
	(*words)[count + 1] = NULL;
}

static void words_free(char **words)
{
	size_t i;

	for (i = 0; i < words_count(words); i++)
		free(words[i]);
	free(words);
}

static struct plan_step *step_last(struct plan *plan)
{
	return &plan->step[plan->count - 1];
}

static void step_add(struct plan *plan)
{
	plan->step = checked(reallocarray(plan->step, plan->count + 1, sizeof(*plan->step)));
	plan->step[plan->count++] = (struct plan_step) { 0 };
}

/** plan_do() - one more command: its words, then NULL */
void plan_do(struct plan *plan, const char *word, ...)
{
	va_list ap;

	step_add(plan);
	va_start(ap, word);
	for (; word; word = va_arg(ap, const char *))
		plan_add_word(plan, word);
	va_end(ap);
}

/** plan_add_word() - one more word of the last command */
void plan_add_word(struct plan *plan, const char *word)
{
	words_add(&step_last(plan)->words, word);
}

/** plan_add_words() - more words of the last command, then NULL */
void plan_add_words(struct plan *plan, const char *word, ...)
{
	va_list ap;

	va_start(ap, word);
	for (; word; word = va_arg(ap, const char *))
		plan_add_word(plan, word);
	va_end(ap);
}

/** plan_undo() - what takes the last command back: its words, then NULL */
void plan_undo(struct plan *plan, const char *word, ...)
{
	va_list ap;

	va_start(ap, word);
	for (; word; word = va_arg(ap, const char *))
		plan_add_undo(plan, word);
	va_end(ap);
}

/** plan_add_undo() - one more word of what takes the last command back */
void plan_add_undo(struct plan *plan, const char *word)
{
	words_add(&step_last(plan)->undo, word);
}

/** plan_wait() - wait until an array has copied or compared what it has to */
void plan_wait(struct plan *plan, const struct array_goal *goal)
{
	plan_do(plan, "mdadm", "--wait", goal->path, NULL);
	step_last(plan)->copies = checked(malloc(sizeof(*goal)));
	*step_last(plan)->copies = (struct array_goal) {
		.path = text_copy(goal->path),
		.volume = text_copy(goal->volume),
		.instead = text_copy(goal->instead),
	};
}

/** plan_print() - the commands, a line each, as they are typed */
void plan_print(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->count; i++) {
		CLEANUP_FREE char *text = command_text(plan->step[i].words);

		printf("%s\n", text);
	}
}

/* A word as the command gets it, to free. */
static char *word_for_run(const char *word, bool first)
{
	CLEANUP_FREE char *folder = command_folder();
	CLEANUP_FREE char *disk = NULL;

	if (first && !strcmp(word, "farmemctl"))
		return text_format("%s/farmemctl", folder);
	if (!strncmp(word, DISK_LINKS "/", strlen(DISK_LINKS "/")))
		disk = object_get(VOLUMES, word + strlen(DISK_LINKS "/"), "device");
	return disk && *disk ? text_format("/dev/%s", disk) : text_copy(word);
}

/* Silent if all is well: the plan has no use for what such a command prints. */
static int run_words(char *const *words, char **said)
{
	char **real = NULL;
	size_t i;
	int rc;

	for (i = 0; words[i]; i++) {
		CLEANUP_FREE char *word = word_for_run(words[i], !i);

		words_add(&real, word);
	}
	rc = command_listen(real, STEP_SECONDS, said);
	words_free(real);
	return rc;
}

static int step_run(const struct plan_step *step, bool quiet)
{
	CLEANUP_FREE char *text = command_text(step->words);
	CLEANUP_FREE char *said = NULL;
	int rc;

	if (step->copies)
		return array_wait(step->copies);
	progress_begin("%s", text);
	rc = run_words(step->words, &said);
	progress_end();
	if (!rc || quiet)
		return rc ? RC_FAILURE : RC_OK;
	fputs(said, stderr);
	if (rc == COMMAND_MISSING)
		return fail("%s is not installed", step->words[0]);
	return fail("this failed: %s", text);
}

/* False if it could not be: what lies below it must stay. */
static bool step_undo(const struct plan_step *step)
{
	CLEANUP_FREE char *text = step->undo ? command_text(step->undo) : NULL;
	CLEANUP_FREE char *said = NULL;
	int rc;

	if (!step->undo)
		return true;
	progress_begin("taking back: %s", text);
	rc = run_words(step->undo, &said);
	progress_end();
	if (!rc)
		return true;
	fputs(said, stderr);
	fail("what was done could not be taken back, by: %s", text);
	return false;
}

/* LVM that is killed while it has a device suspended leaves it so, and swap on it stands still. */
static void be_spared_by_oom_killer(void)
{
	CLEANUP_FREE char *path = text_format("%s/self/oom_score_adj", proc_root());
	FILE *score = fopen(path, "r+e");

	if (!score)
		return;
	fputs("-1000", score);
	fclose(score);
}

/**
 * plan_run() - do it all, or nothing
 *
 * What has no way back stays done, and all before a step that can't be taken back.  Return: RC_OK, or RC_FAILURE after saying what failed.
 */
int plan_run(struct plan *plan)
{
	size_t done;
	int rc = RC_OK;

	be_spared_by_oom_killer();
	/* Their disks are told by the kernel's names: no link is waited for. */
	setenv(NEEDS_NO_LINK, "1", true);
	plan->failed = NULL;
	for (done = 0; done < plan->count && !rc; done++) {
		rc = stop_requested() && !plan->regardless ? fail("interrupted") :
		     step_run(&plan->step[done], plan->quiet);
		if (rc && !stop_requested())
			plan->failed = plan->step[done].words;
	}
	if (!rc)
		return RC_OK;
	done--;
	while (done && step_undo(&plan->step[done - 1]))
		done--;
	return rc;
}

/** plan_carry_out() - print the plan, or do it; then forget it.  Return: as plan_run() */
int plan_carry_out(struct plan *plan, bool dry_run)
{
	int rc = RC_OK;

	if (dry_run)
		plan_print(plan);
	else
		rc = plan_run(plan);
	plan_free(plan);
	*plan = (struct plan) { 0 };
	return rc;
}

void plan_free(struct plan *plan)
{
	while (plan->count--) {
		struct plan_step *step = &plan->step[plan->count];

		words_free(step->words);
		words_free(step->undo);
		if (step->copies) {
			free(step->copies->path);
			free(step->copies->volume);
			free(step->copies->instead);
			free(step->copies);
		}
	}
	free(plan->step);
}
