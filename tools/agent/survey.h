/* SPDX-License-Identifier: GPL-2.0 */
/* survey.h - what the directory has, as JSON */
#ifndef AGENT_SURVEY_H
#define AGENT_SURVEY_H

#include <jansson.h>

#include "etcd.h"

/* What is read. */
#define SURVEY_SERVERS	1	/* with their loads, and the sets */
#define SURVEY_GROUPS	2
#define SURVEY_CHUNKS	4	/* of the groups */

struct survey;

/**
 * typedef survey_done_fn - what the directory has
 * @data: the caller's
 * @all: {"version": 1, "servers": [...], "sets": [[UUID, ...], ...], "groups": [...]}, what was
 *	asked for of it; NULL: it could not be read
 * @error: a sentence without its full stop, if it could not
 *
 * A server whose load is not known lacks its fields.  The sets are those of all permutations.
 * If only the groups could not be read "trouble" says why.
 * A group has the fields that its node's file has (tools/group/state-file.c), and "node".
 */
typedef void (*survey_done_fn)(void *data, json_t *all, const char *error);

/**
 * survey_begin() - read the directory
 * @etcd: where
 * @what: SURVEY_SERVERS and so on
 * @done: is called once, not before survey_begin() returns; may begin another one
 * @data: for @done
 *
 * Return: the survey, valid until @done has been called.
 */
struct survey *survey_begin(struct etcd *etcd, unsigned int what, survey_done_fn done, void *data);

/* survey_cancel() - end it without a word; NULL is fine */
void survey_cancel(struct survey *survey);

#endif /* AGENT_SURVEY_H */
