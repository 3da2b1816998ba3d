// SPDX-License-Identifier: GPL-2.0
#include "pattern.h"

#include <stdbool.h>

/* Sebastiano Vigna's splitmix64: every bit of @x decides about every bit. */
static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15ull;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

/* The byte at @place; @word has the eight that it is one of, unless it is the first. */
static uint8_t byte_at(uint64_t key, size_t place, bool first, uint64_t *word)
{
	if (first || place % 8 == 0)
		*word = mix(key + place / 8);
	return *word >> (place % 8 * 8);
}

/**
 * pattern_key() - what the bytes of one message are made from
 * @seed: of the run
 * @sender: 0 the client, 1 the server
 * @queue: index of the queue
 * @number: of the message on its queue
 */
uint64_t pattern_key(uint32_t seed, unsigned int sender, unsigned int queue, uint64_t number)
{
	return mix(mix(mix(seed) + sender) + queue) + mix(number);
}

/**
 * pattern_fill() - write a message's bytes, or some of them
 * @memory: where to
 * @length: how many
 * @key: of the message
 * @offset: place of the first one in the message
 */
void pattern_fill(void *memory, size_t length, uint64_t key, size_t offset)
{
	uint8_t *bytes = memory;
	uint64_t word = 0;
	size_t i;

	for (i = 0; i < length; i++)
		bytes[i] = byte_at(key, offset + i, !i, &word);
}

/**
 * pattern_check() - are they what was sent?
 * @memory: where the bytes are
 * @length: how many
 * @key: of the message
 * @offset: place of the first one in the message
 *
 * Return: -1, or the place in the message of the first byte that is wrong.
 */
ptrdiff_t pattern_check(const void *memory, size_t length, uint64_t key, size_t offset)
{
	const uint8_t *bytes = memory;
	uint64_t word = 0;
	size_t i;

	for (i = 0; i < length; i++)
		if (bytes[i] != byte_at(key, offset + i, !i, &word))
			return offset + i;
	return -1;
}
