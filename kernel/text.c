// SPDX-License-Identifier: GPL-2.0
/*
 * text.c - what a user may write as a setting or a name.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "farmem-proto.h"
#include "text.h"

/* Of a fraction: more digits would not fit beside a unit. */
#define SCALE_MAX 1000000000

/* No word that is a setting is longer: an address, a name. */
#define WORD_MAX 80

/* Digits at *@text, which moves behind them; false: more than fits. */
static bool text_take_digits(const char **text, u64 *value, u64 *scale)
{
	bool fits = true;

	for (; isdigit(**text); (*text)++)
		fits &= !check_mul_overflow(*value, (u64)10, value) &&
			!check_add_overflow(*value, (u64)(**text - '0'), value) &&
			!check_mul_overflow(*scale, (u64)10, scale);
	return fits;
}

/* The power of 1024 that a unit stands for, of all that is left; -EINVAL if it is none. */
static int text_unit_shift(const char *unit)
{
	static const char units[] = "KMGTPE";
	size_t len = strcspn(unit, "\n");
	const char *at;

	if (unit[len] && unit[len + 1])
		return -EINVAL;
	if (!len || (len == 1 && *unit == 'B'))
		return 0;
	at = strchr(units, toupper(*unit));
	if (!at || (len > 1 && (len != 3 || strncmp(unit + 1, "iB", 2))))
		return -EINVAL;
	return 10 * (at - units + 1);
}

int farmem_text_parse_size(const char *text, u64 *size)
{
	u64 whole = 0, fraction = 0, scale = 1, ignored = 0, unit;
	const char *point;
	int shift;

	if (!isdigit(*text) || !text_take_digits(&text, &whole, &ignored))
		return -EINVAL;
	point = text;
	if (*text == '.') {
		text++;
		if (!text_take_digits(&text, &fraction, &scale) || scale > SCALE_MAX)
			return -EINVAL;
	}
	shift = text_unit_shift(text);
	/* "1." and "1.5", without a unit, are no number of bytes. */
	if (shift < 0 || text == point + 1 || (text > point && !shift) ||
	    whole > U64_MAX >> shift)
		return -EINVAL;
	unit = 1ull << shift;
	whole <<= shift;
	if (fraction) {
		whole += unit / scale * fraction + unit % scale * fraction / scale;
		if (whole > FARMEM_PAGE_SIZE)
			whole -= whole % FARMEM_PAGE_SIZE;
	}
	if (!whole)
		return -EINVAL;
	*size = whole;
	return 0;
}

int farmem_text_parse_seconds(const char *text, unsigned int *ms)
{
	u64 whole = 0, fraction = 0, scale = 1, ignored = 0;

	if (!isdigit(*text) || !text_take_digits(&text, &whole, &ignored))
		return -EINVAL;
	if (*text == '.') {
		text++;
		if (!isdigit(*text) || !text_take_digits(&text, &fraction, &scale))
			return -EINVAL;
	}
	if (!sysfs_streq(text, "") || scale > MSEC_PER_SEC || whole >= U32_MAX / MSEC_PER_SEC)
		return -EINVAL;
	*ms = whole * MSEC_PER_SEC + fraction * MSEC_PER_SEC / scale;
	return 0;
}

const char *farmem_text_of_seconds(char to[FARMEM_SECONDS_LEN], unsigned int ms)
{
	int len = snprintf(to, FARMEM_SECONDS_LEN, "%u.%03u", ms / (unsigned int)MSEC_PER_SEC,
			   ms % (unsigned int)MSEC_PER_SEC);

	while (to[len - 1] == '0')
		len--;
	to[to[len - 1] == '.' ? len - 1 : len] = '\0';
	return to;
}

bool farmem_text_valid(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

bool farmem_text_name_valid(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && farmem_text_valid(name);
}

int farmem_text_parse_checksum(const char *text, bool *on)
{
	if (!sysfs_streq(text, "crc32c") && !sysfs_streq(text, "none"))
		return -EINVAL;
	*on = *text == 'c';
	return 0;
}

int farmem_text_copy_line(char *to, size_t room, const char *page, size_t len)
{
	if (len && page[len - 1] == '\n')
		len--;
	if (len >= room)
		return -ENAMETOOLONG;
	memcpy(to, page, len);
	to[len] = '\0';
	return 0;
}

int farmem_text_copy_word(char *to, size_t room, const char *page, size_t len)
{
	char text[WORD_MAX];
	int err = farmem_text_copy_line(text, min(room, sizeof(text)), page, len);

	if (!err && !farmem_text_valid(text))
		err = -EINVAL;
	if (!err)
		strscpy(to, text, room);
	return err;
}
