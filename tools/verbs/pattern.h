/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pattern.h - bytes that name their message.
 *
 * Each message has bytes of its own, made from the run's seed, its sender, its queue and
 * its number.  So a message that is old, that is another's or that came
 * in part differs from what is expected.
 */
#ifndef VERBS_PATTERN_H
#define VERBS_PATTERN_H

#include <stddef.h>
#include <stdint.h>

uint64_t pattern_key(uint32_t seed, unsigned int sender, unsigned int queue, uint64_t number);
void pattern_fill(void *memory, size_t length, uint64_t key, size_t offset);
ptrdiff_t pattern_check(const void *memory, size_t length, uint64_t key, size_t offset);

#endif
