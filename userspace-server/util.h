/* SPDX-License-Identifier: GPL-2.0 */
/* util.h - the few macros that C lacks */
#ifndef UTIL_H
#define UTIL_H

#include <stddef.h>

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

#endif /* UTIL_H */
