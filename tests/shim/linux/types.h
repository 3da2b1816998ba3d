/* SPDX-License-Identifier: GPL-2.0 */
/* types.h - the kernel's short names, in user space */
#ifndef SHIM_TYPES_H
#define SHIM_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <linux/compiler.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s8 s8;
typedef __s16 s16;
typedef __s32 s32;
typedef __s64 s64;
typedef unsigned int gfp_t;
typedef u64 sector_t;

#define BITS_PER_LONG 64

struct list_head {
	struct list_head *next, *prev;
};

#endif /* SHIM_TYPES_H */
