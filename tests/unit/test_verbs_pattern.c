// SPDX-License-Identifier: GPL-2.0
/* test_verbs_pattern.c - what --verify writes, it finds, and nothing else */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "verbs/pattern.h"

static void found(void **state)
{
	uint64_t key = pattern_key(1, 0, 2, 3);
	uint8_t bytes[100];
	size_t i;

	(void)state;
	pattern_fill(bytes, sizeof(bytes), key, 0);
	assert_int_equal(pattern_check(bytes, sizeof(bytes), key, 0), -1);
	for (i = 0; i < sizeof(bytes); i++) {
		bytes[i] ^= 1 << i % 8;
		assert_int_equal(pattern_check(bytes, sizeof(bytes), key, 0), i);
		bytes[i] ^= 1 << i % 8;
	}
}

/* In pieces of any length it is the same message. */
static void pieces(void **state)
{
	uint64_t key = pattern_key(7, 1, 0, 1ull << 41);
	uint8_t whole[64], parts[64];
	size_t at, length;

	(void)state;
	pattern_fill(whole, sizeof(whole), key, 0);
	for (length = 1; length < 20; length++) {
		memset(parts, 0, sizeof(parts));
		for (at = 0; at < sizeof(parts); at += length)
			pattern_fill(parts + at, at + length > 64 ? 64 - at : length, key, at);
		assert_memory_equal(whole, parts, sizeof(whole));
		assert_int_equal(pattern_check(parts + length, 1, key, length), -1);
	}
}

/* Another sender, queue, message or run has other bytes, nearly all of them. */
static void strangers(void **state)
{
	const uint64_t keys[] = {
		pattern_key(1, 0, 0, 0), pattern_key(2, 0, 0, 0), pattern_key(1, 1, 0, 0),
		pattern_key(1, 0, 1, 0), pattern_key(1, 0, 0, 1), pattern_key(1, 0, 0, 1ull << 40),
	};
	uint8_t a[256], b[256];
	size_t i, j, n, same;

	(void)state;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		for (j = 0; j < i; j++) {
			pattern_fill(a, sizeof(a), keys[i], 0);
			pattern_fill(b, sizeof(b), keys[j], 0);
			for (n = same = 0; n < sizeof(a); n++)
				same += a[n] == b[n];
			assert_in_range(same, 0, 16);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found),
		cmocka_unit_test(pieces),
		cmocka_unit_test(strangers),
	};

	return cmocka_run_group_tests_name("verbs_pattern", tests, NULL, NULL);
}
