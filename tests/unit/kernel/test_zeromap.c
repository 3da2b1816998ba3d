// SPDX-License-Identifier: GPL-2.0
/* test_zeromap.c - which pages read as zeros */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "farmem-proto.h"
#include "zeromap.h"

#define PAGES 200

static struct farmem_zeromap map;

static int set_up(void **state)
{
	return farmem_zeromap_init(&map, PAGES);
}

static int tear_down(void **state)
{
	farmem_zeromap_free(&map);
	return 0;
}

static u64 run(u64 first, u64 count, bool *zero)
{
	return farmem_zeromap_run(&map, first, count, zero);
}

static void test_runs(void **state)
{
	bool zero;

	farmem_zeromap_zeroed(&map, 60, 80);
	assert_int_equal(run(0, PAGES, &zero), 60);
	assert_false(zero);
	assert_int_equal(run(59, 1, &zero), 1);
	assert_false(zero);
	assert_int_equal(run(60, PAGES - 60, &zero), 80);
	assert_true(zero);
	assert_int_equal(run(61, 10, &zero), 10);
	assert_true(zero);
	assert_int_equal(run(140, PAGES - 140, &zero), PAGES - 140);
	assert_false(zero);
	assert_int_equal(farmem_zeromap_count(&map), 80);
}

static void test_written(void **state)
{
	farmem_zeromap_zeroed(&map, 60, 80);
	/* Overtaken by that discard: it knew of no state byte to reset. */
	farmem_zeromap_written(&map, 60, 1, false);
	assert_true(farmem_zeromap_stored(&map, 60, 1));
	assert_int_equal(farmem_zeromap_count(&map), 80);
	farmem_zeromap_written(&map, 60, 2, true);
	assert_false(farmem_zeromap_stored(&map, 60, 2));
	assert_true(farmem_zeromap_stored(&map, 60, 3));
	assert_int_equal(farmem_zeromap_count(&map), 78);
}

/* A freed swap slot reads as zeros here, and the server's byte says nothing of it. */
static void test_freed(void **state)
{
	u8 states[3];

	farmem_zeromap_freed(&map, 5);
	farmem_zeromap_zeroed(&map, 6, 1);
	farmem_zeromap_store(&map, 5, states, 3);
	assert_int_equal(states[0], FARMEM_PAGE_DATA);
	assert_int_equal(states[1], FARMEM_PAGE_ZERO);
	assert_int_equal(states[2], FARMEM_PAGE_DATA);
	farmem_zeromap_written(&map, 5, 1, false);
	assert_int_equal(farmem_zeromap_count(&map), 1);
}

static void test_busy(void **state)
{
	struct farmem_zero_range a = { .first = 10, .count = 10 };
	struct farmem_zero_range b = { .first = 19, .count = 1 };
	struct bio_list blocked;
	struct bio bio;

	assert_true(farmem_zeromap_begin(&map, &a, NULL));
	assert_false(farmem_zeromap_begin(&map, &b, &bio));
	farmem_zeromap_end(&map, &a, &blocked);
	assert_ptr_equal(bio_list_pop(&blocked), &bio);
	assert_true(bio_list_empty(&blocked));
	assert_true(farmem_zeromap_begin(&map, &b, &bio));
	farmem_zeromap_end(&map, &b, &blocked);
	assert_true(bio_list_empty(&blocked));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_freed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_busy, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
