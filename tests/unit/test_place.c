// SPDX-License-Identifier: GPL-2.0
/*
 * test_place.c - on which server a new chunk of a group goes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "place.h"

#define MANY 40

static void the_one_that_holds_least_gets_it(void **state)
{
	const struct place places[] = {
		{ .domain = "a", .used = 8, .free = 100 },
		{ .domain = "b", .used = 4, .free = 50 },
		{ .domain = "c", .used = 4, .free = 60 },
		{ .domain = "d", .used = 4, .free = 60 },
	};

	(void)state;
	assert_int_equal(place_choose(places, 4, 10, NULL), 2);
	assert_int_equal(place_choose(places, 4, 60, NULL), 2);
	assert_int_equal(place_choose(places, 4, 61, NULL), 0);
	assert_int_equal(place_choose(places, 4, 101, NULL), -1);
	assert_int_equal(place_choose(places, 0, 1, NULL), -1);
}

static void what_is_closed_or_taken_gets_none(void **state)
{
	const struct place places[] = {
		{ .domain = "a", .free = 100, .closed = true },
		{ .domain = "b", .used = 4, .free = UINT64_MAX },
		{ .domain = "c", .used = 9, .free = 60 },
		{ .domain = "b", .free = 60 },
	};

	(void)state;
	assert_int_equal(place_choose(places, 4, 10, NULL), 3);
	assert_int_equal(place_choose(places, 4, 10, "b"), 2);
	assert_int_equal(place_choose(places, 4, 61, "b"), -1);
	assert_int_equal(place_choose(places, 4, UINT64_MAX, "c"), 1);
}

/* Pairs over servers of one size: no copies together, and no server holds much more than another. */
static void pairs_lie_apart_and_spread(void **state)
{
	static const char *const domains[] = { "a", "b", "c", "d", "e", "f", "g" };
	struct place places[7];
	size_t count, i;
	int pair;

	(void)state;
	for (count = 2; count <= 7; count++) {
		for (i = 0; i < count; i++)
			places[i] = (struct place) { .domain = domains[i], .free = UINT64_MAX };
		for (pair = 0; pair < MANY; pair++) {
			int first = place_choose(places, count, 1, NULL), second;

			assert_true(first >= 0);
			places[first].used++;
			second = place_choose(places, count, 1, places[first].domain);
			assert_true(second >= 0 && second != first);
			places[second].used++;
		}
		for (i = 0; i < count; i++) {
			assert_true(places[i].used >= 2 * MANY / count);
			assert_true(places[i].used <= 2 * MANY / count + 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_holds_least_gets_it),
		cmocka_unit_test(what_is_closed_or_taken_gets_none),
		cmocka_unit_test(pairs_lie_apart_and_spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
