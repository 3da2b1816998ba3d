// SPDX-License-Identifier: GPL-2.0
/* test_spread.c - each piece is done once, by several threads, until one fails */
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "spread.h"
#include "stubs.h"

#define PIECES 1000

struct tally {
	atomic_uint done[PIECES];
	atomic_uint begun;
	unsigned int fails;
};

static int count(void *data, unsigned int i)
{
	struct tally *tally = data;

	tally->done[i]++;
	tally->begun++;
	return i == tally->fails ? -EIO : 0;
}

static void each_piece_is_done_once(void **state)
{
	static struct tally tally;
	unsigned int i;

	memset(&tally, 0, sizeof(tally));
	tally.fails = PIECES;
	assert_int_equal(spread(PIECES, count, &tally), 0);
	for (i = 0; i < PIECES; i++)
		assert_int_equal(tally.done[i], 1);
	assert_int_equal(spread(0, count, &tally), 0);
	assert_int_equal(tally.begun, PIECES);
}

static void no_piece_begins_after_an_error(void **state)
{
	static struct tally tally;

	memset(&tally, 0, sizeof(tally));
	tally.fails = 0;
	assert_int_equal(spread(1, count, &tally), -EIO);
	assert_int_equal(tally.begun, 1);
	assert_int_equal(spread(PIECES, count, &tally), -EIO);
	assert_true(tally.done[0] == 2);
}

/* No piece ends until so many have begun as run at a time; 10 s are enough for that. */
static int meet(void *data, unsigned int i)
{
	struct tally *tally = data;
	unsigned int tries;

	tally->begun++;
	for (tries = 0; tally->begun < spread_width() && tries < 10000; tries++)
		usleep(1000);
	return tally->begun < spread_width() ? -ETIMEDOUT : 0;
}

static void as_many_run_at_a_time_as_is_said(void **state)
{
	static struct tally tally;

	memset(&tally, 0, sizeof(tally));
	assert_int_equal(spread(spread_width(), meet, &tally), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_piece_is_done_once),
		cmocka_unit_test(no_piece_begins_after_an_error),
		cmocka_unit_test(as_many_run_at_a_time_as_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
