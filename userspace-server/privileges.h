/* SPDX-License-Identifier: GPL-2.0 */
/* privileges.h - what farmemd may no longer do once it is set up */
#ifndef PRIVILEGES_H
#define PRIVILEGES_H

struct options;

/**
 * privileges_drop() - give up all capabilities but those still needed
 * @opt: its addresses
 *
 * Two are kept if farmemd has them.  CAP_IPC_LOCK is for registering the pool's memory.
 * CAP_NET_BIND_SERVICE is kept for a port below 1024, to bind it again when its device was
 * away.  A program that farmemd started could get none back, and only root can trace
 * farmemd or have its memory dumped.
 *
 * Context: before the RDMA devices are opened, since the kernel refuses their files to a
 * process that has changed its rights since then.  And before there are threads, which
 * have rights of their own.
 * Return: 0, or a negative error, logged.
 */
int privileges_drop(const struct options *opt);

#endif /* PRIVILEGES_H */
