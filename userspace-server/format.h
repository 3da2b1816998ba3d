/* SPDX-License-Identifier: GPL-2.0 */
/* format.h - sizes and volumes' names, for people */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdint.h>

#include "farmem-proto.h"

#define SIZE_TEXT	24	/* bytes that format_size() needs */
#define NAME_TEXT	(4 * FARMEM_VOLUME_NAME_LEN)	/* bytes that format_name() needs */

/* format_size() - with the largest suffix that says it exactly; returns @text */
const char *format_size(uint64_t size, char text[SIZE_TEXT]);

/**
 * format_name() - a volume's name, which is any bytes that a client has sent
 * @name: NUL-terminated, less than FARMEM_VOLUME_NAME_LEN bytes
 * @text: visible ASCII; \xNN stands for any other byte and for the backslash, so
 *	that names that differ look different
 *
 * Return: @text.
 */
const char *format_name(const char *name, char text[NAME_TEXT]);

#endif /* FORMAT_H */
