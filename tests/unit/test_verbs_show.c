// SPDX-License-Identifier: GPL-2.0
/* test_verbs_show.c - what farmem-verbs takes for the fault that it shows */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "verbs/options.h"
#include "verbs/show.h"

static void a_silent_link_is_no_wrong_key(void **state)
{
	(void)state;
	assert_true(show_fits(SHOW_RKEY, IBV_WC_REM_ACCESS_ERR));
	assert_true(show_fits(SHOW_LKEY, IBV_WC_WR_FLUSH_ERR));
	assert_true(show_fits(SHOW_RNR, IBV_WC_RNR_RETRY_EXC_ERR));
	assert_false(show_fits(SHOW_RKEY, IBV_WC_RETRY_EXC_ERR));
	assert_false(show_fits(SHOW_WINDOW, IBV_WC_RETRY_EXC_ERR));
}

static void silence_is_what_it_was_to_be(void **state)
{
	(void)state;
	assert_true(show_fits(SHOW_RETRY, IBV_WC_RETRY_EXC_ERR));
	assert_false(show_fits(SHOW_RETRY, IBV_WC_REM_ACCESS_ERR));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_silent_link_is_no_wrong_key),
		cmocka_unit_test(silence_is_what_it_was_to_be),
	};

	return cmocka_run_group_tests_name("verbs_show", tests, NULL, NULL);
}
