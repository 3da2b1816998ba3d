/* SPDX-License-Identifier: GPL-2.0 */
/* string.h - and what the kernel has beside the C library */
#ifndef SHIM_STRING_H
#define SHIM_STRING_H

#include <errno.h>
#include <linux/types.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

/* The first byte that is another, or NULL; eight are looked at together. */
static inline void *memchr_inv(const void *start, int c, size_t count)
{
	const u8 *bytes = start;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!(i % 8))
			shim_point(__func__);
		if (bytes[i] != (u8)c)
			return (void *)(bytes + i);
	}
	return NULL;
}

/* The bytes copied, or -E2BIG: it was cut. */
static inline ssize_t strscpy(char *to, const char *from, size_t room)
{
	int n = snprintf(to, room, "%s", from);

	return n < (int)room ? n : -E2BIG;
}

#define memzero_explicit(at, bytes) explicit_bzero(at, bytes)

/* A newline behind one of them does not count. */
static inline bool sysfs_streq(const char *a, const char *b)
{
	size_t n = strcspn(a, "\n");

	return n == strcspn(b, "\n") && !strncmp(a, b, n) && strlen(a + n) <= 1;
}

#endif /* SHIM_STRING_H */
