// SPDX-License-Identifier: GPL-2.0
#include "size.h"

#include <inttypes.h>

#include "attr.h"

static const char units[] = "KMGTPE";

/**
 * size_format() - write a byte count for people, as lsblk does: 4G, 1.5G, 512K
 * @bytes: the count
 *
 * Return: a string to free.
 */
char *size_format(uint64_t bytes)
{
	uint64_t tenths;
	int unit = -1;
	int shift = 0;

	while (unit < (int)sizeof(units) - 2 && bytes >> shift >= 1024) {
		shift += 10;
		unit++;
	}
	if (unit < 0)
		return text_format("%" PRIu64 "B", bytes);

	/* Rounded down: a pool must not look freer than it is. */
	tenths = (bytes >> (shift - 10)) % 1024 * 10 / 1024;
	if (!tenths)
		return text_format("%" PRIu64 "%c", bytes >> shift, units[unit]);
	return text_format("%" PRIu64 ".%" PRIu64 "%c", bytes >> shift, tenths,
			   units[unit]);
}
