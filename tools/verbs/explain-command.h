/* SPDX-License-Identifier: GPL-2.0 */
/*
 * explain-command.h - the table of codes, searched by what a user types, and printed.
 */
#ifndef VERBS_EXPLAIN_COMMAND_H
#define VERBS_EXPLAIN_COMMAND_H

#include <stdbool.h>

#include "explain.h"

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

/**
 * explain_is() - does a user mean this entry?
 * @entry: any of the table, as explain_next() gives it
 * @code: its number; its name in any case, with or without what all of its kind begin with,
 *	IBV_ or IB_; or its words, in any case
 */
bool explain_is(const struct explain *entry, const char *code);

/* explain_kind_name() - "work completion status", "RDMA_CM event", "async event" */
const char *explain_kind_name(enum explain_kind kind);

#endif
