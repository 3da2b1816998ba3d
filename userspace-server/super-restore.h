/* SPDX-License-Identifier: GPL-2.0 */
/* super-restore.h - clients and volumes from the superblock of a pool that was kept */
#ifndef SUPER_RESTORE_H
#define SUPER_RESTORE_H

#include <stddef.h>

struct server;

/**
 * super_restore() - clients, volumes and slabs as they were
 * @server: its pool has a superblock; no client yet, its slab table is new
 * @error: room for a message
 * @size: of @error
 *
 * What was half done is undone: slabs that belong to no volume for certain are dirty.
 *
 * Return: 0, or -EINVAL (the records contradict each other) or -ENOMEM.
 */
int super_restore(struct server *server, char *error, size_t size);

#endif /* SUPER_RESTORE_H */
