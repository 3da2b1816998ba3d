/* SPDX-License-Identifier: GPL-2.0 */
/* fuzz.h - what the targets share: properties, and bytes taken off the input */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A property that must hold; libFuzzer keeps the input that breaks one. */
#define REQUIRE(cond) do {							\
	if (!(cond)) {								\
		fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #cond); \
		abort();							\
	}									\
} while (0)

/* struct input - what is left of the input */
struct input {
	const uint8_t *data;
	size_t left;
};

/* Past the end all bytes are 0: a shorter input is a valid one, too. */
static inline void take(struct input *in, void *to, size_t len)
{
	size_t has = len < in->left ? len : in->left;

	if (has)
		memcpy(to, in->data, has);
	memset((uint8_t *)to + has, 0, len - has);
	in->data += has;
	in->left -= has;
}

static inline uint8_t take_byte(struct input *in)
{
	uint8_t byte;

	take(in, &byte, 1);
	return byte;
}

static inline uint16_t take_word(struct input *in)
{
	uint8_t byte[2];

	take(in, byte, 2);
	return byte[0] | byte[1] << 8;
}

/*
 * Some @len bytes of the input (fewer at its end, @len then says how many) on
 * the heap, where reading one too far is noticed; to be freed.
 */
static inline void *take_copy(struct input *in, size_t *len)
{
	void *copy;

	if (*len > in->left)
		*len = in->left;
	copy = malloc(*len);
	REQUIRE(copy || !*len);
	take(in, copy, *len);
	return copy;
}

/* NUL-terminated within @size, and nothing that a log or terminal obeys. */
static inline bool is_printable(const char *text, size_t size)
{
	size_t len = strnlen(text, size), i;

	for (i = 0; i < len; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return len < size;
}

static inline bool all_zero(const void *data, size_t len)
{
	const uint8_t *byte = data;

	while (len--)
		if (*byte++)
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* FUZZ_H */
