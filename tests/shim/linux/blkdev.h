/* SPDX-License-Identifier: GPL-2.0 */
/* blkdev.h - plugs and bios are a test's own: what it compiles looks at little of them */
#ifndef SHIM_BLKDEV_H
#define SHIM_BLKDEV_H

#endif /* SHIM_BLKDEV_H */
