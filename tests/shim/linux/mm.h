/* SPDX-License-Identifier: GPL-2.0 */
/* mm.h - pages of 4 KiB */
#ifndef SHIM_MM_H
#define SHIM_MM_H

#include <linux/types.h>

#ifndef PAGE_SHIFT
#define PAGE_SHIFT 12
#endif
#define PAGE_SIZE (1ul << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))

#endif /* SHIM_MM_H */
