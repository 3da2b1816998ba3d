// SPDX-License-Identifier: GPL-2.0
/*
 * format.c - sizes and volumes' names, for farmemd's log and answers.
 *
 * Owns no state.  Addresses and UUIDs are parse.c's, which the tools have too.
 */
#include <inttypes.h>
#include <stdio.h>

#include "format.h"

const char *format_size(uint64_t size, char text[SIZE_TEXT])
{
	static const char suffixes[] = "KMGT";
	unsigned int shift = 0;

	/* The largest suffix that says it exactly, or else the number. */
	while (shift < 40 && size && !(size & ((1ull << (shift + 10)) - 1)))
		shift += 10;
	if (shift)
		snprintf(text, SIZE_TEXT, "%" PRIu64 "%c", size >> shift, suffixes[shift / 10 - 1]);
	else
		snprintf(text, SIZE_TEXT, "%" PRIu64, size);
	return text;
}

const char *format_name(const char *name, char text[NAME_TEXT])
{
	char *at = text;

	for (; *name; name++) {
		if (*name > ' ' && *name <= '~' && *name != '\\')
			*at++ = *name;
		else
			at += sprintf(at, "\\x%02x", (unsigned char)*name);
	}
	*at = '\0';
	return text;
}
