/* SPDX-License-Identifier: GPL-2.0 */
/*
 * command.h - other programs: what they print, and whether they did it.
 *
 * No shell is involved: what a command is made of may come from the names of
 * interfaces and devices.
 */
#ifndef FARMEMCTL_COMMAND_H
#define FARMEMCTL_COMMAND_H

#include <stdbool.h>

/* What a program that could not be started would have as exit code, as in a shell. */
#define COMMAND_MISSING	127
/* One that was ended because it took too long. */
#define COMMAND_TIMEOUT	124

void command_path(void);
int command_ask(char **output, unsigned int seconds, const char *program, ...)
	__attribute__((sentinel));
int command_run(char *const argv[], unsigned int seconds, bool aside);
char *command_text(char *const argv[]);

#endif
