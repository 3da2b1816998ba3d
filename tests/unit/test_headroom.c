// SPDX-License-Identifier: GPL-2.0
/* test_headroom.c - when memory goes back to the machine, and when the machine has some to spare */
#include "headroom.h"
#include "server.h"
#include "stubs.h"

#define SLAB	(16ull << 20)

/* Holds 64 slabs, 16 of them for ever, 40 of them free; 1 GiB is to be available. */
static struct headroom_view view(uint64_t available_mib)
{
	return (struct headroom_view) {
		.available = available_mib << 20,
		.wanted = 1024ull << 20,
		.slab_size = SLAB,
		.held = 64,
		.floor = 16,
		.unused = 40,
	};
}

static void gives_what_lacks_and_an_eighth(void **state)
{
	struct headroom_view at = view(1023);

	/* 1 MiB and 128 MiB, in whole slabs. */
	assert_int_equal(headroom_plan(&at).give, 9);
	at = view(1024);
	assert_int_equal(headroom_plan(&at).give, 0);
	at = view(900);
	assert_int_equal(headroom_plan(&at).give, 16);
}

static void gives_no_more_than_is_free_and_above_the_floor(void **state)
{
	struct headroom_view at = view(0);

	assert_int_equal(headroom_plan(&at).give, 40);
	at.floor = 50;
	assert_int_equal(headroom_plan(&at).give, 14);
	at.held = 30;
	assert_int_equal(headroom_plan(&at).give, 0);
}

/* 48 slabs are above the floor, 40 of them free: 8 are lent. */
static void what_is_lent_is_wanted_when_free_slabs_do_not_suffice(void **state)
{
	struct headroom_view at = view(1023);

	assert_int_equal(headroom_plan(&at).want, 0);
	at = view(1152 - 43 * 16);
	assert_int_equal(headroom_plan(&at).give, 40);
	assert_int_equal(headroom_plan(&at).want, 3);
	/* Two have been given up, and are free in a moment. */
	at.coming = 2;
	assert_int_equal(headroom_plan(&at).want, 1);
	at.coming = 5;
	assert_int_equal(headroom_plan(&at).want, 0);
	/* The floor is never asked for. */
	at = view(0);
	assert_int_equal(headroom_plan(&at).want, 8);
	at.floor = 62;
	assert_int_equal(headroom_plan(&at).want, 0);
	/* Pressure may be of programs with a limit of their own, if there is enough for others. */
	at = view(1152);
	at.unused = 0;
	at.pressed = true;
	assert_int_equal(headroom_plan(&at).want, 0);
	at.available--;
	assert_int_equal(headroom_plan(&at).want, 4);
}

/* Nobody tells when another program lacks one. */
static void huge_pages_go_back_at_once(void **state)
{
	struct headroom_view at = view(4096);

	at.huge = true;
	assert_int_equal(headroom_plan(&at).give, 40);
	at.floor = 50;
	assert_int_equal(headroom_plan(&at).give, 14);
}

/* Other programs get nothing of the huge pages that the kernel keeps: nobody is asked for them. */
static void only_huge_pages_that_become_memory_are_wanted(void **state)
{
	struct headroom_view at = view(0);

	at.unused = 0;
	at.huge = true;
	assert_int_equal(headroom_plan(&at).want, 0);
	at.useful = 5;
	assert_int_equal(headroom_plan(&at).want, 5);
	at.useful = 60;
	assert_int_equal(headroom_plan(&at).want, 48);
}

static void huge_pages_are_lent_as_there_are_and_as_memory_allows(void **state)
{
	struct headroom_view at = view(2048);

	assert_int_equal(headroom_plan(&at).room, 56);
	at.huge = true;
	assert_int_equal(headroom_plan(&at).room, 0);
	at.ready = 7;
	assert_int_equal(headroom_plan(&at).room, 7);
	at.allowed = 20;
	assert_int_equal(headroom_plan(&at).room, 27);
	at.allowed = 100;
	assert_int_equal(headroom_plan(&at).room, 63);
	at.available = 0;
	assert_int_equal(headroom_plan(&at).room, 7);
}

/* From the lower mark to the upper one, so that it does not begin and end in turn. */
static void what_is_wanted_is_wanted_up_to_the_upper_mark(void **state)
{
	struct headroom_view at = view(1100);

	at.unused = 0;
	assert_int_equal(headroom_plan(&at).want, 0);
	at.asking = true;
	assert_int_equal(headroom_plan(&at).want, 4);
	at.available = 1152ull << 20;
	assert_int_equal(headroom_plan(&at).want, 0);
}

static void a_moment_of_want_moves_nobody(void **state)
{
	struct headroom headroom = { .lacks_lent = 7 };
	unsigned int i;

	/* As long as one moment of pressure lasts, and longer. */
	for (i = 0; i < HEADROOM_CALM + 1; i++) {
		headroom_count(&headroom);
		assert_int_equal(headroom.want, 0);
	}
	headroom_count(&headroom);
	assert_int_equal(headroom.want, 7);
	headroom.lacks_lent = 0;
	headroom_count(&headroom);
	assert_int_equal(headroom.want, 0);
	headroom.lacks_lent = 7;
	headroom_count(&headroom);
	assert_int_equal(headroom.want, 0);
}

/* It neither gives nor takes there, so that it does not do both in turn. */
static void between_the_marks_nothing_moves(void **state)
{
	struct headroom_view at;
	unsigned int mib;

	for (mib = 1024; mib <= 1152; mib++) {
		at = view(mib);
		assert_int_equal(headroom_plan(&at).give, 0);
		assert_int_equal(headroom_plan(&at).room, 0);
	}
	at = view(1152 + 33);
	assert_int_equal(headroom_plan(&at).room, 2);
}

/* What it gave back is never what it may take at once. */
static void to_give_makes_no_room(void **state)
{
	struct headroom_view at;
	struct headroom_plan plan;
	unsigned int mib;

	for (mib = 0; mib < 4096; mib++) {
		at = view(mib);
		plan = headroom_plan(&at);
		if (!plan.give)
			continue;
		at = view(mib + plan.give * (SLAB >> 20));
		at.held -= plan.give;
		assert_true(headroom_plan(&at).room <= 1);
	}
}

/* MemAvailable may be wrong: programs that wait for memory are not. */
static void pressure_counts_whatever_is_available(void **state)
{
	struct headroom_view at = view(100000);

	assert_true(headroom_plan(&at).room > 1000);
	at.pressed = true;
	assert_int_equal(headroom_plan(&at).give, 4);
	assert_int_equal(headroom_plan(&at).room, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_what_lacks_and_an_eighth),
		cmocka_unit_test(gives_no_more_than_is_free_and_above_the_floor),
		cmocka_unit_test(what_is_lent_is_wanted_when_free_slabs_do_not_suffice),
		cmocka_unit_test(huge_pages_go_back_at_once),
		cmocka_unit_test(only_huge_pages_that_become_memory_are_wanted),
		cmocka_unit_test(huge_pages_are_lent_as_there_are_and_as_memory_allows),
		cmocka_unit_test(what_is_wanted_is_wanted_up_to_the_upper_mark),
		cmocka_unit_test(a_moment_of_want_moves_nobody),
		cmocka_unit_test(between_the_marks_nothing_moves),
		cmocka_unit_test(to_give_makes_no_room),
		cmocka_unit_test(pressure_counts_whatever_is_available),
	};

	return cmocka_run_group_tests_name("headroom", tests, NULL, NULL);
}
