/* SPDX-License-Identifier: GPL-2.0 */
/*
 * block.h - the gendisk of a volume: /dev/farmemN.
 */
#ifndef FARMEM_BLOCK_H
#define FARMEM_BLOCK_H

#include "volume.h"

/* Volumes are made with it. */
extern const struct farmem_disk_ops farmem_block_ops;

/** farmem_block_volume() - the volume of one of our disks, else NULL. */
struct farmem_volume *farmem_block_volume(struct gendisk *disk);

#endif /* FARMEM_BLOCK_H */
