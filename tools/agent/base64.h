/* SPDX-License-Identifier: GPL-2.0 */
/* base64.h - bytes as JSON of etcd has them: RFC 4648, section 4 */
#ifndef AGENT_BASE64_H
#define AGENT_BASE64_H

#include <stddef.h>

/* base64_encode() - text for @length bytes, to free; NULL without memory */
char *base64_encode(const void *bytes, size_t length);

/**
 * base64_decode() - bytes of a text
 * @text: whole groups of 4 characters
 * @length: receives how many bytes, NULL: is not asked
 *
 * Return: the bytes and a 0, to free; NULL: @text is no such text, or without memory.
 */
char *base64_decode(const char *text, size_t *length);

#endif /* AGENT_BASE64_H */
