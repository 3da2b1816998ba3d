// SPDX-License-Identifier: GPL-2.0
#include "size.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"

static const char units[] = "KMGTPE";

/* The power of 1024 that a suffix stands for; -1 if it is none. */
static int suffix_shift(const char *suffix)
{
	const char *unit;

	if (!*suffix || !strcmp(suffix, "B"))
		return 0;
	unit = strchr(units, toupper((unsigned char)*suffix));
	if (!unit || (suffix[1] && strcmp(suffix + 1, "iB")))
		return -1;
	return 10 * (int)(unit - units + 1);
}

/**
 * size_parse() - read a byte count
 * @text: digits and an optional binary suffix: K, M, G, T, P, E, also KiB ...
 * @bytes: where it goes
 *
 * Decimal units (4GB) are refused rather than guessed at.
 * Return: 0, or -EINVAL, or -ERANGE beyond 64 bits.
 */
int size_parse(const char *text, uint64_t *bytes)
{
	char *suffix;
	int shift;
	uint64_t value;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	value = strtoull(text, &suffix, 10);
	if (errno)
		return -errno;
	shift = suffix_shift(suffix);
	if (shift < 0)
		return -EINVAL;
	if (value > UINT64_MAX >> shift)
		return -ERANGE;
	*bytes = value << shift;
	return 0;
}

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
