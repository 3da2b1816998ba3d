// SPDX-License-Identifier: GPL-2.0
/* test_zeromap.c - which pages read as zeros, also while others change it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "explore.h"
#include "farmem-proto.h"
#include "zeromap.h"

#define PAGES 200

static struct farmem_zeromap map;
static struct explore e;

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

static u64 run_found;
static bool run_zero;

static void make_map(void)
{
	farmem_zeromap_init(&map, PAGES);
}

static void make_zero_map(void)
{
	farmem_zeromap_init(&map, PAGES);
	farmem_zeromap_zeroed(&map, 0, 8);
}

static void take_run(void *unused)
{
	run_found = run(2, 4, &run_zero);
}

static void free_slots(void *unused)
{
	farmem_zeromap_freed(&map, 2);
	farmem_zeromap_freed(&map, 3);
}

static void write_pages(void *unused)
{
	farmem_zeromap_written(&map, 2, 2, true);
}

static const char *run_is_some(void)
{
	farmem_zeromap_free(&map);
	return run_found >= 1 && run_found <= 4 ? NULL : "a run of no page, or of too many";
}

static void run_beside(void (*setup)(void), void (*other)(void *))
{
	e = (struct explore){
		.setup = setup,
		.thread = { take_run, other },
		.check = run_is_some,
	};
	explore_all(&e);
}

/* Whatever becomes of the pages meanwhile: a bio can't be split at its start. */
static void test_run_beside_freed(void **state)
{
	run_beside(make_map, free_slots);
}

static void test_run_beside_written(void **state)
{
	run_beside(make_zero_map, write_pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_freed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_busy, set_up, tear_down),
		cmocka_unit_test(test_run_beside_freed),
		cmocka_unit_test(test_run_beside_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
