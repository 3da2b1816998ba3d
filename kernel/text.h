/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text.h - what a user may write as a setting or a name.
 *
 * Nothing here sleeps.
 */
#ifndef FARMEM_TEXT_H
#define FARMEM_TEXT_H

#include <linux/types.h>

/**
 * farmem_text_parse_size() - "4G", "1.5G", "512MiB", bytes: what farmemctl takes (size.c)
 * @text: from the user, perhaps with a newline
 * @size: bytes; of a fraction, of at most 9 digits, the whole pages
 *
 * Return: 0, or -EINVAL for anything else behind the number, zero, or more
 * than fits.
 */
int farmem_text_parse_size(const char *text, u64 *size);

/**
 * farmem_text_parse_seconds() - "5", "0.5", "0.125"
 * @text: from the user, perhaps with a newline
 * @ms: milliseconds
 *
 * Return: 0, or -EINVAL for anything else, for more digits behind the point, and for more
 * than fits.
 */
int farmem_text_parse_seconds(const char *text, unsigned int *ms);

/* Room for what farmem_text_of_seconds() writes. */
#define FARMEM_SECONDS_LEN 12

/** farmem_text_of_seconds() - milliseconds as farmem_text_parse_seconds() reads them.  Return: @to. */
const char *farmem_text_of_seconds(char to[FARMEM_SECONDS_LEN], unsigned int ms);

/**
 * farmem_text_valid() - visible ASCII, no blanks
 * @text: to be shown in logs, on terminals and in JSON, here and on the server
 */
bool farmem_text_valid(const char *text);

/** farmem_text_name_valid() - may this be the name of a session or, if short, of a volume? */
bool farmem_text_name_valid(const char *name);

/** farmem_text_parse_checksum() - "crc32c" or "none", perhaps with a newline.  Return: 0 or -EINVAL. */
int farmem_text_parse_checksum(const char *text, bool *on);

/** farmem_text_copy_line() - without its newline.  Return: 0 or -ENAMETOOLONG. */
int farmem_text_copy_line(char *to, size_t room, const char *page, size_t len);

/** farmem_text_copy_word() - the same of visible ASCII.  Return: also -EINVAL, with @to as it was. */
int farmem_text_copy_word(char *to, size_t room, const char *page, size_t len);

#endif /* FARMEM_TEXT_H */
