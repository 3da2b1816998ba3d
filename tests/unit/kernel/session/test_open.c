// SPDX-License-Identifier: GPL-2.0
/* test_open.c - what the end of an OPEN concerns: a volume, or all of its session */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "message.h"

static enum farmem_open_fate refused(enum farmem_reason reason)
{
	return farmem_message_open_fate(farmem_message_reason_errno(reason), 0);
}

/* What the server says of one volume is no fault of the others. */
static void test_one_volume(void **state)
{
	assert_int_equal(refused(FARMEM_ERR_NO_SPACE), FARMEM_OPEN_AWAY);
	assert_int_equal(refused(FARMEM_ERR_QUOTA), FARMEM_OPEN_AWAY);
	assert_int_equal(refused(FARMEM_ERR_TOO_MANY), FARMEM_OPEN_AWAY);
	assert_int_equal(refused(FARMEM_ERR_RESOURCES), FARMEM_OPEN_AWAY);
	assert_int_equal(refused(FARMEM_ERR_VOLUME_BUSY), FARMEM_OPEN_AWAY);
	assert_int_equal(refused(FARMEM_ERR_LAST), FARMEM_OPEN_AWAY);
}

static void test_this_node(void **state)
{
	assert_int_equal(farmem_message_open_fate(-ENOMEM, 0), FARMEM_OPEN_AWAY);
}

static void test_lost(void **state)
{
	assert_int_equal(refused(FARMEM_ERR_STALE), FARMEM_OPEN_LOST);
	assert_int_equal(refused(FARMEM_ERR_NO_VOLUME), FARMEM_OPEN_LOST);
	assert_int_equal(farmem_message_open_fate(-EREMCHG, 0), FARMEM_OPEN_LOST);
}

/* Nothing was said of any volume, or of all of them. */
static void test_connection(void **state)
{
	assert_int_equal(farmem_message_open_fate(-ETIMEDOUT, 0), FARMEM_OPEN_UNHEARD);
	assert_int_equal(farmem_message_open_fate(-EPROTO, 0), FARMEM_OPEN_UNHEARD);
	assert_int_equal(farmem_message_open_fate(-EINTR, 0), FARMEM_OPEN_UNHEARD);
	assert_int_equal(refused(FARMEM_ERR_SHUTTING_DOWN), FARMEM_OPEN_UNHEARD);
	assert_int_equal(refused(FARMEM_ERR_NO_SESSION), FARMEM_OPEN_UNHEARD);
	assert_int_equal(refused(FARMEM_ERR_AUTH), FARMEM_OPEN_UNHEARD);
}

/* Whatever it ended with: a volume is not lost because its session is. */
static void test_session_ends_meanwhile(void **state)
{
	static const int ends[] = { 0, -ENOSPC, -ESTALE, -ENOENT, -EREMCHG, -ETIMEDOUT };
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		assert_int_equal(farmem_message_open_fate(ends[i], -ECONNRESET), FARMEM_OPEN_UNHEARD);
}

static void test_granted(void **state)
{
	assert_int_equal(farmem_message_open_fate(0, 0), FARMEM_OPEN_GRANTED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_volume),
		cmocka_unit_test(test_this_node),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_connection),
		cmocka_unit_test(test_session_ends_meanwhile),
		cmocka_unit_test(test_granted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
