// SPDX-License-Identifier: GPL-2.0
/* test_zeromap.c - which pages read as zeros, also while others change it */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <linux/bitmap.h>

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
	struct farmem_zero_range c = { .first = 20, .count = 1 };
	struct bio bio;

	assert_true(farmem_zeromap_begin(&map, &a, NULL));
	assert_false(farmem_zeromap_begin(&map, &b, &bio));
	assert_true(farmem_zeromap_begin(&map, &c, NULL));
	/* Another's end is no reason to try again. */
	farmem_zeromap_end(&map, &c);
	assert_true(bio_list_empty(&c.bios));
	farmem_zeromap_end(&map, &a);
	assert_ptr_equal(bio_list_pop(&a.bios), &bio);
	assert_true(bio_list_empty(&a.bios));
	assert_true(farmem_zeromap_begin(&map, &b, &bio));
	farmem_zeromap_end(&map, &b);
	assert_true(bio_list_empty(&b.bios));
}

/* Each page of it becomes somebody's task: the first's, or after that the second's. */
static void test_overlap(void **state)
{
	struct farmem_zero_range a = { .first = 0, .count = 8 };
	struct farmem_zero_range b = { .first = 4, .count = 8 };
	struct list_head request;
	LIST_HEAD(mine);

	list_add(&request, &mine);
	assert_true(farmem_zeromap_begin(&map, &a, NULL));
	assert_false(farmem_zeromap_begin_request(&map, &b, &request));
	assert_true(list_empty(&mine));
	farmem_zeromap_end(&map, &a);
	assert_ptr_equal(a.requests.next, &request);
	assert_true(farmem_zeromap_begin_request(&map, &b, &request));
	farmem_zeromap_end(&map, &b);
	assert_true(list_empty(&b.requests));
}

#define RANGES 12

/* Beside a map of bytes: the owner of a page keeps others off. */
static void test_many_busy(void **state)
{
	struct farmem_zero_range range[RANGES];
	bool held[RANGES] = { false }, taken[PAGES] = { false };
	unsigned int n, round, rnd = 1, i, page;

	for (round = 0; round < 3000; round++) {
		bool there = false;
		struct bio bio;

		rnd = rnd * 1103515245 + 12345;
		n = (rnd >> 16) % RANGES;
		if (held[n]) {
			for (i = 0; i < range[n].count; i++)
				taken[range[n].first + i] = false;
			held[n] = false;
			farmem_zeromap_end(&map, &range[n]);
			continue;
		}
		range[n].count = 1 + (rnd >> 8) % 20;
		range[n].first = (rnd >> 13) % (PAGES - range[n].count);
		for (page = 0; page < range[n].count; page++)
			there |= taken[range[n].first + page];
		held[n] = farmem_zeromap_begin(&map, &range[n], &bio);
		assert_int_equal(held[n], !there);
		for (page = 0; held[n] && page < range[n].count; page++)
			taken[range[n].first + page] = true;
	}
}

#define MANY (131072 + 77)

static unsigned int most_steps, steps;

static void count_step(const char *what)
{
	steps = strcmp(what, "spin_lock") ? steps + 1 : 0;
	if (steps > most_steps)
		most_steps = steps;
}

/* 512 MiB, from the middle of a word to the middle of another. */
static void test_large_discard(void **state)
{
	struct farmem_zeromap large;

	farmem_zeromap_init(&large, MANY + 100);
	most_steps = steps = 0;
	shim_point_hook = count_step;
	farmem_zeromap_zeroed(&large, 50, MANY);
	shim_point_hook = NULL;
	/* Words, not pages, and few of them before interrupts are on again. */
	assert_in_range(most_steps, 2, 32);
	assert_int_equal(farmem_zeromap_count(&large), MANY);
	assert_int_equal(find_next_bit(large.zero, MANY + 100, 0), 50);
	assert_int_equal(find_next_bit(large.stored, MANY + 100, 0), 50);
	assert_int_equal(find_next_zero_bit(large.stored, MANY + 100, 50), 50 + MANY);
	farmem_zeromap_written(&large, 100, MANY - 100, true);
	assert_int_equal(farmem_zeromap_count(&large), 100);
	farmem_zeromap_doubted(&large, 101, 1);
	assert_false(farmem_zeromap_stored(&large, 100, 1));
	assert_true(farmem_zeromap_stored(&large, 101, 1));
	farmem_zeromap_free(&large);
}

/* Writers to the slots of other CPUs are not in the way. */
static void test_other_chunk(void **state)
{
	struct farmem_zeromap large;

	farmem_zeromap_init(&large, 2 * FARMEM_ZEROMAP_CHUNK);
	farmem_zeromap_freed(&large, FARMEM_ZEROMAP_CHUNK);
	spin_lock(&large.changes[0].lock);
	/* Would wait for ever. */
	farmem_zeromap_written(&large, FARMEM_ZEROMAP_CHUNK, 1, false);
	spin_unlock(&large.changes[0].lock);
	assert_int_equal(farmem_zeromap_count(&large), 0);
	farmem_zeromap_free(&large);
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

static void make_freed_map(void)
{
	farmem_zeromap_init(&map, PAGES);
	farmem_zeromap_freed(&map, 2);
}

static void end_discard(void *unused)
{
	farmem_zeromap_zeroed(&map, 0, 8);
}

static void end_write(void *unused)
{
	farmem_zeromap_written(&map, 2, 1, false);
}

/* The server holds it as zero: it must read as that now, and after a reload. */
static const char *zero_as_stored(void)
{
	bool ok = farmem_zeromap_count(&map) == 8 && farmem_zeromap_stored(&map, 2, 1);

	farmem_zeromap_free(&map);
	return ok ? NULL : "a page reads as data, and after a reload as zeros";
}

/* Of a write to a reused slot that a discard overtakes. */
static void test_write_beside_discard(void **state)
{
	e = (struct explore){
		.setup = make_freed_map,
		.thread = { end_discard, end_write },
		.check = zero_as_stored,
	};
	explore_all(&e);
}

static void free_neighbours(void *unused)
{
	farmem_zeromap_freed(&map, 9);
	farmem_zeromap_freed(&map, 63);
}

static const char *neighbours_are_freed(void)
{
	bool ok = farmem_zeromap_count(&map) == 10;

	farmem_zeromap_free(&map);
	return ok ? NULL : "a slot was freed in the same word, and is not";
}

/* Without a lock, in the words that others change. */
static void test_freed_beside_discard(void **state)
{
	e = (struct explore){
		.setup = make_map,
		.thread = { end_discard, free_neighbours },
		.check = neighbours_are_freed,
	};
	explore_all(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_freed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_busy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_overlap, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_busy, set_up, tear_down),
		cmocka_unit_test(test_large_discard),
		cmocka_unit_test(test_other_chunk),
		cmocka_unit_test(test_run_beside_freed),
		cmocka_unit_test(test_run_beside_written),
		cmocka_unit_test(test_write_beside_discard),
		cmocka_unit_test(test_freed_beside_discard),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
