// SPDX-License-Identifier: GPL-2.0
/* test_explore.c - the explorer itself: it tries every order, and finds what is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/spinlock.h>
#include <string.h>

#include "explore.h"

static int counter;
static spinlock_t first, second;
static struct explore e;

static void reset(void)
{
	counter = 0;
	spin_lock_init(&first);
	spin_lock_init(&second);
}

static const char *right(void)
{
	return NULL;
}

static const char *counted_twice(void)
{
	return counter == 2 ? NULL : "one was not counted";
}

static void read_twice(void *unused)
{
	(void)READ_ONCE(counter);
	(void)READ_ONCE(counter);
}

static void count(void *unused)
{
	WRITE_ONCE(counter, READ_ONCE(counter) + 1);
}

static void count_locked(void *unused)
{
	spin_lock(&first);
	count(NULL);
	spin_unlock(&first);
}

static void lock_in_order(void *unused)
{
	spin_lock(&first);
	spin_lock(&second);
	spin_unlock(&second);
	spin_unlock(&first);
}

static void lock_the_other_way(void *unused)
{
	spin_lock(&second);
	spin_lock(&first);
	spin_unlock(&first);
	spin_unlock(&second);
}

static void explore_two(void (*a)(void *), void (*b)(void *),
			const char *(*check)(void), unsigned int preemptions)
{
	memset(&e, 0, sizeof(e));
	e.setup = reset;
	e.thread[0] = a;
	e.thread[1] = b;
	e.check = check;
	e.preemptions = preemptions;
	explore(&e);
}

/* Three steps each, with the one that begins: 6! / (3! 3!). */
static void test_every_order(void **state)
{
	explore_two(read_twice, read_twice, right, 0);
	assert_null(e.fault);
	assert_int_equal(e.orders, 20);
}

/* Either is left once, at one of two places, or never. */
static void test_bound(void **state)
{
	explore_two(read_twice, read_twice, right, 1);
	assert_null(e.fault);
	assert_int_equal(e.orders, 6);
}

static void test_lost_update(void **state)
{
	explore_two(count, count, counted_twice, 0);
	assert_string_equal(e.fault, "one was not counted");
	explore_two(count, count, counted_twice, 1);
	assert_string_equal(e.fault, "one was not counted");
	assert_non_null(strstr(e.told, "A READ_ONCE\nB "));
}

static void test_lock(void **state)
{
	explore_two(count_locked, count_locked, counted_twice, 0);
	assert_null(e.fault);
	assert_true(e.orders > 2);
}

static void test_deadlock(void **state)
{
	explore_two(lock_in_order, lock_in_order, right, 0);
	assert_null(e.fault);
	explore_two(lock_in_order, lock_the_other_way, right, 0);
	assert_string_equal(e.fault, "the threads wait for each other");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_order),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_lost_update),
		cmocka_unit_test(test_lock),
		cmocka_unit_test(test_deadlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
