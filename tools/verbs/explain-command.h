/* SPDX-License-Identifier: GPL-2.0 */
/*
 * explain-command.h - the table of codes, printed.
 */
#ifndef VERBS_EXPLAIN_COMMAND_H
#define VERBS_EXPLAIN_COMMAND_H

#include <stdbool.h>

/**
 * explain_command() - do `explain CODE` or `explain all`
 * @code: "all"; what explain_is() takes; a part of the words; or a line that
 *	has them
 * @json: an object for programs instead of text
 *
 * Prints to stdout, or says on stderr that it knows no such code.
 *
 * Return: an exit code, RC_OK or RC_FAILURE of report.h.
 */
int explain_command(const char *code, bool json);

#endif
