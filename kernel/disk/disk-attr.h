/* SPDX-License-Identifier: GPL-2.0 */
/*
 * disk-attr.h - a volume's files below /sys/block/farmemN/farmem.
 */
#ifndef FARMEM_DISK_ATTR_H
#define FARMEM_DISK_ATTR_H

#include <linux/sysfs.h>

/* Added with the disk; its private_data is the volume. */
extern const struct attribute_group *farmem_disk_groups[];

#endif /* FARMEM_DISK_ATTR_H */
