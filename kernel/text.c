// SPDX-License-Identifier: GPL-2.0
/*
 * text.c - what a user may write as a setting or a name.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "text.h"

/* No word that is a setting is longer: an address, a name. */
#define WORD_MAX 80

int farmem_text_parse_size(const char *text, u64 *size)
{
	static const char suffixes[] = "KMGTPE";
	char number[24];
	const char *suffix;
	size_t len = strspn(text, "0123456789");
	unsigned int shift = 0;
	u64 n;

	if (!len || len >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, len);
	number[len] = '\0';
	if (kstrtoull(number, 10, &n) || !n)
		return -EINVAL;
	text += len;
	suffix = *text ? strchr(suffixes, toupper(*text)) : NULL;
	if (suffix) {
		shift = 10 * (suffix - suffixes + 1);
		text++;
	}
	if (strcmp(text, "") && strcmp(text, "\n"))
		return -EINVAL;
	if (n > U64_MAX >> shift)
		return -EINVAL;
	*size = n << shift;
	return 0;
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
