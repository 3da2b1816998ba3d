// SPDX-License-Identifier: GPL-2.0
/* test_verbs_measure.c - percentiles of farmem-verbs */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "verbs/measure.h"

static void percentiles(void **state)
{
	uint64_t sorted[1000];
	unsigned int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		sorted[i] = i + 1;
	assert_int_equal(measure_percentile(sorted, 1000, 500), 500);
	assert_int_equal(measure_percentile(sorted, 1000, 990), 990);
	assert_int_equal(measure_percentile(sorted, 1000, 999), 999);
	assert_int_equal(measure_percentile(sorted, 1000, 1000), 1000);
	assert_int_equal(measure_percentile(sorted, 1000, 0), 1);
	/* Never between two, and of few samples never below the share asked for. */
	assert_int_equal(measure_percentile(sorted, 1, 500), 1);
	assert_int_equal(measure_percentile(sorted, 2, 500), 1);
	assert_int_equal(measure_percentile(sorted, 3, 500), 2);
	assert_int_equal(measure_percentile(sorted, 10, 990), 10);
	assert_int_equal(measure_percentile(sorted, 101, 990), 100);
}

static void summaries(void **state)
{
	uint64_t samples[] = { 40, 10, 30, 1ull << 40, 20 };
	struct summary summary;

	(void)state;
	measure_summarise(samples, 5, &summary);
	assert_true(summary.min == 10);
	assert_true(summary.p50 == 30);
	assert_true(summary.p99 == 1ull << 40);
	assert_true(summary.p999 == 1ull << 40);
	assert_true(summary.max == 1ull << 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles),
		cmocka_unit_test(summaries),
	};

	return cmocka_run_group_tests_name("verbs_measure", tests, NULL, NULL);
}
