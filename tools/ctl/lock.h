/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lock.h - commands that change the same object take turns.
 *
 * A command looks at an object, and then acts: another one must not change it in
 * between.  An object is locked by its name, so that who connects to one server does
 * not wait for another server that is away.  Taken in this order: a volume, a session,
 * a server.  The kernel lets go of all of them when the process ends.
 */
#ifndef FARMEMCTL_LOCK_H
#define FARMEMCTL_LOCK_H

int lock_take(const char *kind, const char *name);

#endif
