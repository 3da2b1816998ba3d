// SPDX-License-Identifier: GPL-2.0
/*
 * test_histogram.c - what percentiles a histogram of the module's has
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "histogram.h"

static struct histogram parsed(const char *text)
{
	struct histogram histogram = { 0 };

	histogram_parse(text, &histogram);
	return histogram;
}

static void a_line_is_read_whole_or_not_at_all(void **state)
{
	(void)state;
	assert_int_equal(parsed("1 2 3").buckets, 3);
	assert_int_equal(parsed("1 2 18446744073709551615\n").count[2], UINT64_MAX);
	assert_int_equal(parsed(NULL).buckets, 0);
	assert_int_equal(parsed("").buckets, 0);
	assert_int_equal(parsed("1 two").buckets, 0);
	assert_int_equal(parsed("1 -2").buckets, 0);
	/* 65 of them. */
	assert_int_equal(parsed("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
				"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0").buckets, 0);
}

static void a_percentile_is_a_buckets(void **state)
{
	struct histogram histogram = parsed("0 500 400 90 0 9 1 0");

	(void)state;
	assert_int_equal(histogram_total(&histogram), 1000);
	assert_int_equal(histogram_rank(&histogram, 500), 1);
	assert_int_equal(histogram_rank(&histogram, 501), 2);
	assert_int_equal(histogram_rank(&histogram, 900), 2);
	assert_int_equal(histogram_rank(&histogram, 990), 3);
	assert_int_equal(histogram_rank(&histogram, 999), 5);
	assert_int_equal(histogram_rank(&histogram, 1000), 6);
	/* Of one, each. */
	histogram = parsed("0 0 1");
	assert_int_equal(histogram_rank(&histogram, 500), 2);
	assert_int_equal(histogram_rank(&histogram, 999), 2);
	histogram = parsed("9223372036854775807 0 9223372036854775807");
	assert_int_equal(histogram_rank(&histogram, 500), 0);
	assert_int_equal(histogram_rank(&histogram, 990), 2);
}

static void bounds_are_powers_of_two(void **state)
{
	struct histogram histogram = parsed("0 0 0 0");

	(void)state;
	assert_int_equal(histogram_bound(&histogram, 0), 1024);
	assert_int_equal(histogram_bound(&histogram, 2), 4096);
	/* What it reaches. */
	assert_int_equal(histogram_bound(&histogram, 3), 4096);
}

static void a_difference_is_of_one_disk(void **state)
{
	struct histogram before = parsed("1 2 3"), now = parsed("1 5 3"), other = parsed("0 9 9");

	(void)state;
	histogram_subtract(&now, &before);
	assert_int_equal(histogram_total(&now), 3);
	assert_int_equal(now.count[1], 3);
	histogram_subtract(&other, &before);
	assert_int_equal(histogram_total(&other), 18);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_read_whole_or_not_at_all),
		cmocka_unit_test(a_percentile_is_a_buckets),
		cmocka_unit_test(bounds_are_powers_of_two),
		cmocka_unit_test(a_difference_is_of_one_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
