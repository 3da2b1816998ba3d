/* SPDX-License-Identifier: GPL-2.0 */
/* lock.h - what only one farmemd may have */
#ifndef LOCK_H
#define LOCK_H

/**
 * lock_wait() - have it alone
 * @fd: a file of its own; the lock goes with it
 * @what: for the log: "pool FILE"
 *
 * Waits 10 s for a process that has it to end.  A farmemd that was killed with much memory
 * takes a while to end, and its successor is started at once.  The kernel closes all files
 * of a process before that can be waited for: with the lock its queue pairs are gone, too.
 *
 * Return: 0; -EADDRINUSE: another process keeps it; another -errno.
 */
int lock_wait(int fd, const char *what);

#endif /* LOCK_H */
