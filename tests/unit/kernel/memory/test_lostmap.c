// SPDX-License-Identifier: GPL-2.0
/* test_lostmap.c - which pages are lost in which of the server's memories */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/bitmap.h>

#include "farmem-proto.h"
#include "lostmap.h"
#include "zeromap.h"

#define PAGES 100

struct fixture {
	struct farmem_zeromap zeros;
	struct farmem_lostmap lost;
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){};
	*state = &fixture;
	return farmem_zeromap_init(&fixture.zeros, PAGES);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	farmem_lostmap_free(&f->lost);
	farmem_zeromap_free(&f->zeros);
	return 0;
}

static void enter(struct fixture *f, u64 from, u64 to)
{
	assert_int_equal(farmem_lostmap_enter(&f->lost, PAGES, &f->zeros, from, to), 0);
}

/* Of the usual volume nothing is noted. */
static void test_same_memory(void **state)
{
	struct fixture *f = *state;

	enter(f, 7, 7);
	assert_false(farmem_lostmap_used(&f->lost));
	assert_false(farmem_lostmap_hit(&f->lost, 0, PAGES));
}

static void test_other_memory(void **state)
{
	struct fixture *f = *state;

	farmem_zeromap_zeroed(&f->zeros, 10, 5);
	enter(f, 7, 8);
	assert_true(farmem_lostmap_hit(&f->lost, 9, 1));
	assert_false(farmem_lostmap_hit(&f->lost, 10, 5));
	assert_int_equal(farmem_lostmap_count(&f->lost, &f->zeros), PAGES - 5);
	farmem_lostmap_written(&f->lost, 20, 2);
	assert_false(farmem_lostmap_hit(&f->lost, 20, 2));
	assert_true(farmem_lostmap_hit(&f->lost, 20, 3));
}

/* What was written in between is lost then, all else is there. */
static void test_former_memory(void **state)
{
	struct fixture *f = *state;

	enter(f, 7, 8);
	farmem_lostmap_settle(&f->lost);
	farmem_lostmap_written(&f->lost, 20, 2);
	assert_true(farmem_lostmap_knows(&f->lost, 7));
	enter(f, 8, 7);
	assert_int_equal(farmem_lostmap_count(&f->lost, &f->zeros), 2);
	assert_true(farmem_lostmap_hit(&f->lost, 21, 1));
	assert_false(farmem_lostmap_hit(&f->lost, 22, PAGES - 22));
}

static void test_states(void **state)
{
	struct fixture *f = *state;
	u8 states[PAGES];
	u64 i;

	farmem_zeromap_zeroed(&f->zeros, 10, 5);
	enter(f, 7, 8);
	farmem_lostmap_written(&f->lost, 0, 10);
	farmem_zeromap_store(&f->zeros, 0, states, PAGES);
	farmem_lostmap_store(&f->lost, 0, states, PAGES);
	for (i = 0; i < PAGES; i++)
		assert_int_equal(states[i], i < 10 ? FARMEM_PAGE_DATA :
				 i < 15 ? FARMEM_PAGE_ZERO : FARMEM_PAGE_LOST);
}

static int merge(struct fixture *f, const u8 *states)
{
	return farmem_lostmap_merge(&f->lost, &f->zeros, PAGES, 7, 0, states, PAGES);
}

/* The server says that memory is gone which the client believed to be there. */
static void test_merge(void **state)
{
	struct fixture *f = *state;
	u8 states[PAGES] = {};

	farmem_zeromap_zeroed(&f->zeros, 10, 2);
	farmem_zeromap_freed(&f->zeros, 20);
	assert_int_equal(merge(f, states), 0);
	assert_false(farmem_lostmap_used(&f->lost));
	states[9] = states[10] = states[20] = FARMEM_PAGE_LOST;
	/* Of what it did not believe to be there it knows better. */
	states[30] = FARMEM_PAGE_ZERO;
	assert_int_equal(merge(f, states), 1);
	assert_true(farmem_lostmap_hit(&f->lost, 9, 1));
	assert_false(farmem_lostmap_hit(&f->lost, 10, 2));
	assert_true(farmem_lostmap_hit(&f->lost, 20, 1));
	assert_false(farmem_lostmap_hit(&f->lost, 21, PAGES - 21));
	assert_int_equal(farmem_lostmap_count(&f->lost, &f->zeros), 2);
	assert_true(test_bit(10, f->zeros.zero) && !test_bit(30, f->zeros.zero));
	/* A write says so there. */
	assert_true(farmem_zeromap_stored(&f->zeros, 9, 1));

	/* What is told anew: the zero page, and both that are lost. */
	farmem_zeromap_store(&f->zeros, 0, states, PAGES);
	farmem_lostmap_store(&f->lost, 0, states, PAGES);
	assert_int_equal(states[9], FARMEM_PAGE_LOST);
	assert_int_equal(states[10], FARMEM_PAGE_ZERO);
	assert_int_equal(states[20], FARMEM_PAGE_LOST);
	assert_int_equal(merge(f, states), 0);
	/* Good again, here before there. */
	farmem_lostmap_written(&f->lost, 9, 1);
	assert_false(farmem_lostmap_hit(&f->lost, 9, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_same_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_former_memory, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_states, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_merge, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
