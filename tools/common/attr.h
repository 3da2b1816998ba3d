/* SPDX-License-Identifier: GPL-2.0 */
/*
 * attr.h - texts, one-value files, where the kernel's trees are, and other programs.  Brings
 * report.h, and stdlib.h for free().
 *
 * FARMEM_CONFIGFS, FARMEM_SYSFS, FARMEM_PROC, FARMEM_RUN and, for the rest, FARMEM_ROOT in
 * the environment move the roots, so that tests need neither root nor the module.
 */
#ifndef FARMEMCTL_ATTR_H
#define FARMEMCTL_ATTR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/types.h>

#include "report.h"

static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

/* Of a variable that frees what it points to when it leaves scope. */
#define CLEANUP_FREE __attribute__((cleanup(cleanup_free)))

const char *configfs_root(void);
const char *sysfs_root(void);
const char *proc_root(void);
const char *run_root(void);
const char *file_root(void);

void *checked(void *pointer);
char *text_format(const char *fmt, ...) PRINTF_LIKE(1);
char *text_vformat(const char *fmt, va_list ap);
char *text_copy(const char *text);
void text_add(char **text, const char *between, const char *more);
bool text_visible(const char *text);

/* Paths, as for printf. */
bool file_missing(const char *fmt, ...) PRINTF_LIKE(1);
char *attr_read(const char *fmt, ...) PRINTF_LIKE(1);
int attr_write(const char *path, const char *value);
char *disk_attr(const char *device, const char *name);

char **name_list(const char *fmt, ...) PRINTF_LIKE(1);
void name_list_free(char **names);

struct name_walk {
	char **all;
	char **at;
};

static inline void name_walk_end(struct name_walk *walk)
{
	name_list_free(walk->all);
}

/* EACH_NAME(walk, list) - a loop with each name of the list at *walk.at; it frees the list */
#define EACH_NAME(walk, list)								\
	for (struct name_walk walk __attribute__((cleanup(name_walk_end))) = { list, NULL };	\
	     (walk.at = walk.at ? walk.at + 1 : walk.all) && *walk.at;)

/*
 * command.c: other programs, what they print, and whether they did it.  No shell is involved:
 * a command may have the names of interfaces and devices in it.
 */
#define COMMAND_MISSING	127	/* it could not be started, as in a shell */
#define COMMAND_TIMEOUT	124	/* it took too long and was ended */

/* How command_run() and command_start() run it. */
#define COMMAND_ASIDE	1	/* its output goes to standard error: ours is for another program */
#define COMMAND_GROUP	2	/* if its time is over, its own children are ended with it */

long clock_ms(void);
char *command_folder(void);
void command_path(void);
int command_ask(char **output, unsigned int seconds, const char *program, ...)
	__attribute__((sentinel));
int command_listen(char *const argv[], unsigned int seconds, char **output);
pid_t command_start(char *const argv[], unsigned int flags);
void command_end(pid_t pid, unsigned int seconds);
int command_run(char *const argv[], unsigned int seconds, unsigned int flags);
char *command_text(char *const argv[]);

#endif
