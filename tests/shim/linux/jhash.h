/* SPDX-License-Identifier: GPL-2.0 */
/* jhash.h - a mixture of two words; MurmurHash3's, not Jenkins's */
#ifndef SHIM_JHASH_H
#define SHIM_JHASH_H

#include <linux/types.h>

static inline u32 jhash_1word(u32 a, u32 initval)
{
	u32 hash = initval * 5 + a;

	hash = (hash ^ hash >> 16) * 0x85ebca6b;
	hash = (hash ^ hash >> 13) * 0xc2b2ae35;
	return hash ^ hash >> 16;
}

#endif /* SHIM_JHASH_H */
