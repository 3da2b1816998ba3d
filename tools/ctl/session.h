/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - the session verbs, and the sessions that volumes bring along.
 *
 * A session named exactly as its own server address is one that `volume create`
 * derived: it goes away with its last volume.
 */
#ifndef FARMEMCTL_SESSION_H
#define FARMEMCTL_SESSION_H

#include "table.h"

struct cli_args;
struct undo;

extern const struct table session_table;

int session_list(const struct cli_args *args);
int session_show(const struct cli_args *args);
int session_create(const struct cli_args *args);
int session_delete(const struct cli_args *args);

int session_lock(const char *session, const char *server);
int session_obtain(const struct cli_args *args, struct undo *undo, char **session);
void session_drop_derived(const char *session);

#endif
