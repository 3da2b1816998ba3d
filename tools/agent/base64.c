// SPDX-License-Identifier: GPL-2.0
/* base64.c - libcrypto's, with the lengths right. */
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"

#define LENGTH_MAX	(64u << 20)

char *base64_encode(const void *bytes, size_t length)
{
	char *text = length <= LENGTH_MAX ? malloc((length + 2) / 3 * 4 + 1) : NULL;

	if (!text)
		return NULL;
	EVP_EncodeBlock((unsigned char *)text, bytes, length);
	return text;
}

/* EVP_DecodeBlock() takes blanks at the ends, and gives the padding as zeros. */
char *base64_decode(const char *text, size_t *length)
{
	size_t letters = strlen(text), padding = letters && text[letters - 1] == '=';
	char *bytes;

	padding += padding && letters > 1 && text[letters - 2] == '=';
	if (letters % 4 || letters > LENGTH_MAX || strpbrk(text, " \t\r\n") ||
	    strcspn(text, "=") != letters - padding)
		return NULL;
	bytes = malloc(letters / 4 * 3 + 1);
	if (!bytes)
		return NULL;
	/* It takes a '-' for an end. */
	if (letters && EVP_DecodeBlock((unsigned char *)bytes, (const unsigned char *)text, letters) !=
	    (int)(letters / 4 * 3)) {
		free(bytes);
		return NULL;
	}
	letters = letters / 4 * 3 - padding;
	bytes[letters] = '\0';
	if (length)
		*length = letters;
	return bytes;
}
