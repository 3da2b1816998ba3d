/* SPDX-License-Identifier: GPL-2.0 */
/*
 * disk.h - a bare block device over a link.
 */
#ifndef FLOOR_DISK_H
#define FLOOR_DISK_H

#include "link.h"

/**
 * floor_disk_start() - connect a queue pair for /dev/floor0, add the disk
 * @where: ADDR:PORT of the server
 * @remote: what it lends; to be kept while the disk is there
 *
 * Context: may sleep.  Return: 0 or a negative errno, with nothing left.
 */
int floor_disk_start(const char *where, const struct floor_remote *remote);

/**
 * floor_disk_stop() - remove the disk, end its I/O, disconnect
 *
 * Nobody has the disk open: that would hold the module.  Context: may sleep.
 */
void floor_disk_stop(void);

#endif /* FLOOR_DISK_H */
