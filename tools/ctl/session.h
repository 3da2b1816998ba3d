/* SPDX-License-Identifier: GPL-2.0 */
/*
 * session.h - the sessions that volumes bring along.
 *
 * A session named exactly as its own server address is one that `volume create`
 * derived: it goes away with its last volume.
 */
#ifndef FARMEMCTL_SESSION_H
#define FARMEMCTL_SESSION_H

struct cli_args;
struct undo;

int session_lock(const char *session, const char *server);
int session_obtain(const struct cli_args *args, struct undo *undo, char **session);
void session_drop_derived(const char *session);

#endif
