/* SPDX-License-Identifier: GPL-2.0 */
/* privileges.h - what farmemd may no longer do once it is set up */
#ifndef PRIVILEGES_H
#define PRIVILEGES_H

struct options;

/**
 * privileges_drop() - give up all capabilities but those still needed
 * @opt: its addresses
 *
 * Kept, as far as they were there: CAP_IPC_LOCK, to register the pool's memory for
 * clients; CAP_NET_BIND_SERVICE if a port below 1024 is listened on, to bind it
 * again when its device was away.  No program that farmemd might start could get
 * any back, and nobody but root can trace it or have its memory dumped.
 *
 * Context: before the RDMA devices are opened: the kernel refuses their files to who
 * has changed his rights since; and before there are threads, which have their own.
 * Return: 0, or a negative error, logged.
 */
int privileges_drop(const struct options *opt);

#endif /* PRIVILEGES_H */
