// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "size.h"

static const char units[] = "KMGTPE";

/* What a fraction comes to is rounded down to whole pages, as all sizes here must be. */
#define PAGE 4096

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

/* Digits only: strtoull() would take signs, blanks and wrapped negatives. */
static bool take_digits(const char **text, uint64_t *value, uint64_t *scale)
{
	bool fits = true;

	for (; isdigit((unsigned char)**text); (*text)++) {
		fits &= !__builtin_mul_overflow(*value, 10u, value) &&
			!__builtin_add_overflow(*value, (unsigned int)(**text - '0'), value) &&
			!__builtin_mul_overflow(*scale, 10u, scale);
	}
	return fits;
}

/**
 * size_parse() - read a byte count
 * @text: digits, perhaps a fraction, and an optional binary suffix: K, M, G, T, P, E,
 *	also KiB and so on; nothing before or after
 * @bytes: where it goes; of a fraction the whole pages of 4 KiB
 *
 * Decimal units (4GB) are refused rather than guessed at.
 * Return: 0, or -EINVAL, or -ERANGE beyond 64 bits.
 */
int size_parse(const char *text, uint64_t *bytes)
{
	uint64_t value = 0, fraction = 0, scale = 1, ignored = 0;
	const char *point;
	bool fits;
	int shift;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	fits = take_digits(&text, &value, &ignored);
	point = text;
	if (*text == '.') {
		text++;
		fits &= take_digits(&text, &fraction, &scale);
	}
	shift = suffix_shift(text);
	/* "1." and "1.5", without a unit, are no number of bytes. */
	if (shift < 0 || text == point + 1 || (text > point && !shift))
		return -EINVAL;
	if (!fits || value > UINT64_MAX >> shift)
		return -ERANGE;
	value <<= shift;
	if (fraction) {
		value += ((unsigned __int128)fraction << shift) / scale;
		value -= value > PAGE ? value % PAGE : 0;
	}
	*bytes = value;
	return 0;
}

/** size_format() - a byte count for people, as lsblk writes it: 4G, 1.5G, 512K; to free */
char *size_format(uint64_t bytes)
{
	char text[32];
	uint64_t tenths;
	int unit = -1;
	int shift = 0;

	while (unit < (int)sizeof(units) - 2 && bytes >> shift >= 1024) {
		shift += 10;
		unit++;
	}
	/* Rounded down: a pool must not look freer than it is. */
	tenths = shift ? (bytes >> (shift - 10)) % 1024 * 10 / 1024 : 0;
	if (tenths)
		snprintf(text, sizeof(text), "%" PRIu64 ".%" PRIu64 "%c", bytes >> shift, tenths,
			 units[unit]);
	else
		snprintf(text, sizeof(text), "%" PRIu64 "%c", bytes >> shift,
			 unit < 0 ? 'B' : units[unit]);
	return strdup(text);
}
