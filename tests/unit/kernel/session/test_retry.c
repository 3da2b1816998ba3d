// SPDX-License-Identifier: GPL-2.0
/* test_retry.c - what an adapter is told fits the time that the user gave */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "retry.h"

static double milliseconds(struct farmem_retry retry)
{
	return (retry.count + 1) * 4.096e-3 * (1u << retry.ack_timeout);
}

static void every_time_fits(void **state)
{
	unsigned int ms;

	(void)state;
	for (ms = FARMEM_PEER_TIMEOUT_MIN; ms <= FARMEM_PEER_TIMEOUT_MAX; ms++) {
		struct farmem_retry retry = farmem_retry_fit(ms);

		assert_in_range(retry.count, 3, 6);
		assert_in_range(retry.ack_timeout, 14, 21);
		assert_true(milliseconds(retry) >= ms);
		assert_true(milliseconds(retry) <= ms * 1.25);
	}
}

static void the_default_is_patient(void **state)
{
	struct farmem_retry retry = farmem_retry_fit(FARMEM_PEER_TIMEOUT_DEFAULT);

	(void)state;
	assert_int_equal(retry.ack_timeout, 18);
	assert_int_equal(retry.count, 6);
}

static void half_a_second_is_possible(void **state)
{
	(void)state;
	assert_true(milliseconds(farmem_retry_fit(500)) < 550);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_time_fits),
		cmocka_unit_test(the_default_is_patient),
		cmocka_unit_test(half_a_second_is_possible),
	};

	return cmocka_run_group_tests_name("kernel_retry", tests, NULL, NULL);
}
