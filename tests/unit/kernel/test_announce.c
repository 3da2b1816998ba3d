// SPDX-License-Identifier: GPL-2.0
/* test_announce.c - user space hears of every state, in order, however late */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <linux/kernel.h>

#include "announce.c"
#include "explore.h"

static const char *const names[] = {
	"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
	"17", "18", "19", "20",
};
static struct farmem_announce a;
static unsigned int told;
static const char *last;
static const char *wrong;

/* Each change begins where the one before it has ended. */
static void tell(const char *was, const char *is)
{
	if (last && strcmp(last, was))
		wrong = "a change begins where none has ended";
	last = is;
	told++;
}

static void tell_all(struct work_struct *work)
{
	const char *was, *is;

	while (farmem_announce_next(&a, &was, &is))
		tell(was, is);
}

static void set_up(void)
{
	farmem_announce_init(&a, tell_all);
	assert_int_equal(farmem_announce_start(), 0);
	told = 0;
	last = wrong = NULL;
}

static void change(unsigned int first, unsigned int count)
{
	unsigned int i;

	for (i = first; i < first + count; i++)
		farmem_announce(&a, names[i], names[i + 1]);
}

static void test_all_in_order(void **state)
{
	set_up();
	change(0, FARMEM_ANNOUNCE_ROOM);
	assert_int_equal(told, 0);
	farmem_announce_flush(&a);
	assert_int_equal(told, FARMEM_ANNOUNCE_ROOM);
	change(FARMEM_ANNOUNCE_ROOM, 1);
	farmem_announce_flush(&a);
	assert_int_equal(told, FARMEM_ANNOUNCE_ROOM + 1);
	assert_string_equal(last, names[FARMEM_ANNOUNCE_ROOM + 1]);
	assert_null(wrong);
}

/* While nobody can be told: how it ended is heard all the same. */
static void test_more_than_there_is_room_for(void **state)
{
	set_up();
	change(0, 20);
	farmem_announce_flush(&a);
	assert_int_equal(told, FARMEM_ANNOUNCE_ROOM);
	assert_string_equal(last, names[20]);
	assert_null(wrong);
}

static void changes(void *argument)
{
	change(0, 3);
}

/* The worker, as often as it is asked for; at last it finds nothing more. */
static void tells(void *argument)
{
	int i;

	for (i = 0; i < 3; i++)
		flush_work(&a.work);
}

static const char *check(void)
{
	farmem_announce_flush(&a);
	if (wrong)
		return wrong;
	return told == 3 && !strcmp(last, "3") ? NULL : "a change was not told";
}

static void test_told_while_it_changes(void **state)
{
	static struct explore e = {
		.setup = set_up,
		.thread = { changes, tells },
		.check = check,
	};

	explore_all(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_in_order),
		cmocka_unit_test(test_more_than_there_is_room_for),
		cmocka_unit_test(test_told_while_it_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
