/* SPDX-License-Identifier: GPL-2.0 */
/*
 * block.h - the gendisk of a volume: /dev/farmemN.
 */
#ifndef FARMEM_BLOCK_H
#define FARMEM_BLOCK_H

#include "volume.h"

/**
 * farmem_block_add() - make and announce the disk
 * @v: everything but @v->disk and @v->index set; I/O may come before this
 *	returns
 *
 * Context: may sleep.  Return: 0 or a negative errno.
 */
int farmem_block_add(struct farmem_volume *v);

/** farmem_block_remove() - no new I/O after this; the disk stays allocated. */
void farmem_block_remove(struct farmem_volume *v);

/** farmem_block_put() - free the disk; no I/O is under way. */
void farmem_block_put(struct farmem_volume *v);

/** farmem_block_uevent() - tell user space of a state; there is a disk.  May sleep. */
void farmem_block_uevent(struct farmem_volume *v, const char *state);

/** farmem_block_volume() - the volume of one of our disks, else NULL. */
struct farmem_volume *farmem_block_volume(struct gendisk *disk);

#endif /* FARMEM_BLOCK_H */
