// SPDX-License-Identifier: GPL-2.0
/* test_slab.c - contiguity, fragments, zero before lend, quarantine */
#include <errno.h>
#include <stdlib.h>

#include "slab.h"
#include "stubs.h"

struct fixture {
	struct slab_table table;
	struct slab_list a, b, c, quarantine;
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){};
	*state = &fixture;
	return slab_table_init(&fixture.table, 16);
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	unsigned int total = 0, i;

	for (i = 0; i < SLAB_STATES; i++)
		total += f->table.in[i];
	slab_list_free(&f->a);
	slab_list_free(&f->b);
	slab_list_free(&f->c);
	slab_list_free(&f->quarantine);
	slab_table_free(&f->table);
	return total != 16;
}

static void takes_one_run(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_alloc(&f->table, 5, &f->a), 0);
	assert_int_equal(f->a.runs, 1);
	assert_int_equal(f->a.slabs, 5);
	assert_int_equal(f->table.in[SLAB_LENT], 5);
	assert_int_equal(slab_free_count(&f->table), 11);
}

static void takes_the_smallest_run_that_fits(void **state)
{
	struct fixture *f = *state;

	/* a: 0-5, b: 6-8, c: 9-10, free: 11-15 */
	assert_int_equal(slab_alloc(&f->table, 6, &f->a), 0);
	assert_int_equal(slab_alloc(&f->table, 3, &f->b), 0);
	assert_int_equal(slab_alloc(&f->table, 2, &f->c), 0);
	slab_release(&f->table, &f->b, 1, NULL);
	assert_int_equal(slab_alloc(&f->table, 2, &f->b), 0);
	assert_int_equal(f->b.runs, 1);
	assert_int_equal(f->b.run[0].first, 6);
}

static void falls_back_to_few_fragments(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_alloc(&f->table, 6, &f->a), 0);
	assert_int_equal(slab_alloc(&f->table, 2, &f->b), 0);
	assert_int_equal(slab_alloc(&f->table, 1, &f->c), 0);
	slab_release(&f->table, &f->a, 1, NULL);
	/* free: 0-5 and 9-15 */
	assert_int_equal(slab_alloc(&f->table, 8, &f->a), 0);
	assert_int_equal(f->a.runs, 2);
	assert_int_equal(f->a.run[0].first, 9);
	assert_int_equal(f->a.run[0].count, 7);
	assert_int_equal(f->a.run[1].count, 1);
	assert_int_equal(f->a.slabs, 8);
}

static void refuses_more_than_there_is(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_alloc(&f->table, 17, &f->a), -ENOSPC);
	assert_int_equal(slab_alloc(&f->table, 0, &f->a), -ENOSPC);
	assert_int_equal(slab_alloc(&f->table, 16, &f->a), 0);
	assert_int_equal(slab_alloc(&f->table, 1, &f->b), -ENOSPC);
	assert_int_equal(f->b.slabs, 0);
}

static void growing_appends(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_alloc(&f->table, 2, &f->a), 0);
	assert_int_equal(slab_alloc(&f->table, 2, &f->b), 0);
	assert_int_equal(slab_alloc(&f->table, 3, &f->a), 0);
	assert_int_equal(f->a.slabs, 5);
	assert_int_equal(f->a.runs, 2);
	assert_int_equal(f->a.run[0].first, 0);
	assert_int_equal(f->a.run[1].first, 4);
}

static void used_slabs_are_zeroed_before_they_are_lent(void **state)
{
	struct fixture *f = *state;
	struct slab_run run;

	assert_int_equal(slab_alloc(&f->table, 16, &f->a), 0);
	slab_release(&f->table, &f->a, 1, NULL);
	assert_int_equal(f->table.in[SLAB_DIRTY], 16);
	assert_int_equal(slab_alloc(&f->table, 6, &f->b), 0);
	assert_int_equal(f->table.in[SLAB_LENT], 0);
	assert_int_equal(f->table.in[SLAB_RESERVED], 6);

	run = slab_find_reserved(&f->table, &f->b, 4);
	assert_int_equal(run.count, 4);
	slab_zeroed(&f->table, run);
	assert_int_equal(f->table.in[SLAB_LENT], 4);
	run = slab_find_reserved(&f->table, &f->b, 4);
	assert_int_equal(run.first, 4);
	assert_int_equal(run.count, 2);
	slab_zeroed(&f->table, run);
	assert_int_equal(slab_find_reserved(&f->table, &f->b, 4).count, 0);
}

static void background_cleans_in_steps(void **state)
{
	struct fixture *f = *state;
	struct slab_run run;

	assert_int_equal(slab_alloc(&f->table, 6, &f->a), 0);
	slab_release(&f->table, &f->a, 1, NULL);
	run = slab_clean_begin(&f->table, 4);
	assert_int_equal(run.count, 4);
	assert_int_equal(f->table.in[SLAB_ZEROING], 4);
	assert_int_equal(slab_free_count(&f->table), 16);
	slab_clean_end(&f->table, run, SLAB_CLEAN);
	assert_int_equal(f->table.in[SLAB_CLEAN], 14);
	run = slab_clean_begin(&f->table, 4);
	assert_int_equal(run.first, 4);
	assert_int_equal(run.count, 2);
	slab_clean_end(&f->table, run, SLAB_CLEAN);
	assert_int_equal(slab_clean_begin(&f->table, 4).count, 0);
}

/* A slab that is taken while the background zeroes it is not clean yet. */
static void taken_while_being_cleaned(void **state)
{
	struct fixture *f = *state;
	struct slab_run run;

	assert_int_equal(slab_alloc(&f->table, 16, &f->a), 0);
	slab_release(&f->table, &f->a, 1, NULL);
	run = slab_clean_begin(&f->table, 4);
	assert_int_equal(slab_alloc(&f->table, 16, &f->b), 0);
	assert_int_equal(f->table.in[SLAB_RESERVED], 16);
	slab_clean_end(&f->table, run, SLAB_CLEAN);
	assert_int_equal(f->table.in[SLAB_RESERVED], 16);
	assert_int_equal(f->table.in[SLAB_CLEAN], 0);
}

static void mark(struct slab_bad *bad, uint32_t slab)
{
	bad->slab[slab] = true;
	bad->count++;
}

/* Neither lent nor zeroed, whatever it was; and what it holds is dirty, not clean. */
static void bad_slabs_are_left_out(void **state)
{
	struct slab_bad *bad = calloc(1, sizeof(*bad) + 16);
	struct fixture *f = *state;
	uint32_t place, slab;
	struct slab_run run;

	f->table.bad = bad;
	mark(bad, 3);
	assert_int_equal(slab_free_count(&f->table), 15);
	assert_int_equal(slab_alloc(&f->table, 16, &f->a), -ENOSPC);
	assert_int_equal(slab_alloc(&f->table, 15, &f->a), 0);
	assert_int_equal(f->table.state[3], SLAB_CLEAN);
	assert_false(slab_find_bad(&f->table, &f->a, &place, &slab));
	mark(bad, 0);
	assert_true(slab_find_bad(&f->table, &f->a, &place, &slab));
	assert_int_equal(place, 12);	/* the longest run comes first */
	assert_int_equal(slab, 0);
	slab_release(&f->table, &f->a, 1, NULL);
	run = slab_clean_begin(&f->table, 16);
	assert_int_equal(run.first, 1);
	assert_int_equal(run.count, 2);
	slab_clean_end(&f->table, run, SLAB_DIRTY);
	assert_int_equal(f->table.state[1], SLAB_DIRTY);
	run = slab_clean_begin(&f->table, 2);
	slab_clean_end(&f->table, run, SLAB_CLEAN);
	assert_int_equal(f->table.state[1], SLAB_CLEAN);
	run = slab_clean_begin(&f->table, 16);
	assert_int_equal(run.first, 4);
	assert_int_equal(run.count, 12);
	slab_clean_end(&f->table, run, SLAB_CLEAN);
	assert_int_equal(slab_clean_begin(&f->table, 16).count, 0);
	assert_int_equal(f->table.state[0], SLAB_DIRTY);
	f->table.bad = NULL;
	free(bad);
}

static void quarantine_until_fenced(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_alloc(&f->table, 12, &f->a), 0);
	slab_release(&f->table, &f->a, 0, &f->quarantine);
	assert_int_equal(f->table.in[SLAB_QUARANTINED], 12);
	assert_int_equal(f->quarantine.slabs, 12);
	assert_int_equal(f->quarantine.runs, 1);
	assert_int_equal(slab_free_count(&f->table), 4);
	assert_int_equal(slab_alloc(&f->table, 5, &f->b), -ENOSPC);
	assert_int_equal(slab_clean_begin(&f->table, 16).count, 0);
	assert_int_equal(slab_alloc(&f->table, 2, &f->c), 0);
	assert_int_equal(f->c.run[0].first, 12);

	slab_fence(&f->table, &f->quarantine);
	assert_int_equal(f->table.in[SLAB_DIRTY], 12);
	assert_int_equal(slab_alloc(&f->table, 5, &f->b), 0);
}

/* Never registered, so no queue pair could have reached them. */
static void reserved_slabs_need_no_quarantine(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_alloc(&f->table, 16, &f->a), 0);
	slab_release(&f->table, &f->a, 1, NULL);
	assert_int_equal(slab_alloc(&f->table, 16, &f->b), 0);
	slab_zeroed(&f->table, (struct slab_run){ 0, 3 });
	slab_release(&f->table, &f->b, 0, &f->quarantine);
	assert_int_equal(f->table.in[SLAB_QUARANTINED], 3);
	assert_int_equal(f->table.in[SLAB_DIRTY], 13);
}

/* The memory of the last free slabs goes first, so that what is left is in one piece. */
static void the_last_free_slabs_are_given_back(void **state)
{
	struct fixture *f = *state;
	struct slab_run run;

	assert_int_equal(slab_alloc(&f->table, 4, &f->a), 0);
	run = slab_give_begin(&f->table, 5);
	assert_int_equal(run.first, 11);
	assert_int_equal(run.count, 5);
	assert_int_equal(slab_free_count(&f->table), 7);
	assert_int_equal(slab_unused(&f->table), 7);
	/* What is lent stays, however much is asked for. */
	assert_int_equal(slab_give_begin(&f->table, 100).count, 7);
	assert_int_equal(slab_give_begin(&f->table, 100).count, 0);
	assert_int_equal(f->table.in[SLAB_LENT], 4);
	assert_int_equal(slab_free_count(&f->table), 0);
	assert_int_equal(slab_alloc(&f->table, 1, &f->b), -ENOSPC);
}

/* What the worker is zeroing is not given away under it. */
static void what_is_being_zeroed_is_not_given_back(void **state)
{
	struct fixture *f = *state;
	struct slab_run run;

	assert_int_equal(slab_alloc(&f->table, 16, &f->a), 0);
	slab_release(&f->table, &f->a, 1, NULL);
	run = slab_clean_begin(&f->table, 16);
	assert_int_equal(run.count, 16);
	assert_int_equal(slab_give_begin(&f->table, 16).count, 0);
	slab_clean_end(&f->table, run, SLAB_CLEAN);
	assert_int_equal(slab_give_begin(&f->table, 16).count, 16);
}

/* So many as the machine has room for, and none as long as others are free. */
static void absent_slabs_are_lent_where_there_is_room(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_give_begin(&f->table, 10).count, 10);
	f->table.room = 4;
	assert_int_equal(slab_free_count(&f->table), 10);
	assert_int_equal(slab_alloc(&f->table, 11, &f->a), -ENOSPC);
	assert_int_equal(slab_alloc(&f->table, 5, &f->a), 0);
	assert_int_equal(f->table.in[SLAB_ABSENT], 10);
	assert_int_equal(slab_alloc(&f->table, 4, &f->b), 0);
	/* One was there, three are to be filled first. */
	assert_int_equal(f->table.in[SLAB_LENT], 6);
	assert_int_equal(f->table.in[SLAB_RESERVED], 3);
	assert_int_equal(f->table.in[SLAB_ABSENT], 7);
	/* And that was it, until the machine is looked at again. */
	assert_int_equal(f->table.room, 1);
	assert_int_equal(slab_alloc(&f->table, 2, &f->c), -ENOSPC);
}

/* Dirty ones would be zeroed else; what the worker could not give is free again, but for a volume's. */
static void dirty_slabs_are_given_back_first(void **state)
{
	struct fixture *f = *state;
	struct slab_run run;

	assert_int_equal(slab_alloc(&f->table, 4, &f->a), 0);
	slab_release(&f->table, &f->a, 1, NULL);
	run = slab_give_begin(&f->table, 3);
	assert_int_equal(run.first, 1);
	assert_int_equal(run.count, 3);
	f->table.room = 1;
	assert_int_equal(slab_alloc(&f->table, 14, &f->a), 0);
	slab_give_failed(&f->table, run);
	assert_int_equal(f->table.in[SLAB_DIRTY], 2);
	assert_int_equal(f->table.in[SLAB_RESERVED], 2);
}

/* Slabs of an OPEN that failed may never have got memory: so much may go back. */
static void what_was_never_zeroed_is_counted(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(slab_give_begin(&f->table, 10).count, 10);
	f->table.room = 10;
	assert_int_equal(slab_alloc(&f->table, 12, &f->a), 0);
	assert_int_equal(f->table.room, 4);
	slab_zeroed(&f->table, (struct slab_run){ 6, 2 });
	/* The volume had five before; what was zeroed since goes with the rest. */
	slab_unlend(&f->table, &f->a, 5);
	assert_int_equal(f->table.in[SLAB_LENT], 5);
	slab_release(&f->table, &f->a, 0, &f->quarantine);
	assert_int_equal(f->table.unfilled, 4);
	assert_int_equal(f->table.in[SLAB_QUARANTINED], 5);
	assert_int_equal(f->table.in[SLAB_DIRTY], 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(takes_one_run, set_up, tear_down),
		cmocka_unit_test_setup_teardown(takes_the_smallest_run_that_fits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(falls_back_to_few_fragments, set_up, tear_down),
		cmocka_unit_test_setup_teardown(refuses_more_than_there_is, set_up, tear_down),
		cmocka_unit_test_setup_teardown(growing_appends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(used_slabs_are_zeroed_before_they_are_lent, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(background_cleans_in_steps, set_up, tear_down),
		cmocka_unit_test_setup_teardown(taken_while_being_cleaned, set_up, tear_down),
		cmocka_unit_test_setup_teardown(bad_slabs_are_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_last_free_slabs_are_given_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_being_zeroed_is_not_given_back, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(absent_slabs_are_lent_where_there_is_room, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(dirty_slabs_are_given_back_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_was_never_zeroed_is_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(quarantine_until_fenced, set_up, tear_down),
		cmocka_unit_test_setup_teardown(reserved_slabs_need_no_quarantine, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
