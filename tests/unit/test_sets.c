// SPDX-License-Identifier: GPL-2.0
/*
 * test_sets.c - a cluster's sets, and how they follow its servers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "agent/sets.h"

#define MANY	40
#define PATIENCE 600000
#define SETTLE	120000

static char names[MANY][8];
static struct sets_server servers[MANY];
static struct sets sets;
static struct sets_memory memory;

static int start(void **state)
{
	size_t i;

	for (i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "s%zu", i);
		servers[i] = (struct sets_server){ names[i], names[i] };
	}
	memset(&sets, 0, sizeof(sets));
	memory = (struct sets_memory){ .patience = PATIENCE, .settle = SETTLE };
	return 0;
}

static int end(void **state)
{
	sets_free(&sets);
	sets_forget(&memory);
	return 0;
}

static bool follow(size_t count, long now)
{
	return sets_follow(&sets, servers, count, &memory, now, 7);
}

/* Looks as a maker does, before @end; are the sets changed? */
static bool pass(size_t count, long from, long end)
{
	bool changed = false;

	for (; from < end; from += PATIENCE / 10)
		changed |= follow(count, from);
	return changed;
}

/* What is written is read again, and the same. */
static void expect_readable(void)
{
	char *text = sets_text(&sets), *again;
	struct sets read;

	assert_true(sets_read(&read, text));
	again = sets_text(&read);
	assert_string_equal(again, text);
	sets_free(&read);
	free(again);
	free(text);
}

static bool is_in(unsigned int permutation, const char *uuid, const char *other)
{
	size_t i, k, both;

	for (i = 0; i < sets.sets[permutation]; i++) {
		const struct placement_set *set = &sets.set[permutation][i];

		for (k = both = 0; k < set->count; k++)
			both += !strcmp(sets.uuid[set->server[k]], uuid) || !strcmp(sets.uuid[set->server[k]], other);
		if (both == 2)
			return true;
	}
	return false;
}

static unsigned int partners(const char *uuid, size_t count)
{
	unsigned int all = 0;
	size_t i;

	for (i = 0; i < count; i++)
		if (strcmp(names[i], uuid))
			all += is_in(0, uuid, names[i]) || is_in(1, uuid, names[i]);
	return all;
}

static void new_servers_get_places_together(void **state)
{
	assert_false(follow(0, 0));
	assert_false(follow(3, 1000));
	assert_false(follow(3, 1000 + SETTLE - 1));
	/* One more: it is waited for others. */
	assert_false(follow(8, 1000 + SETTLE));
	assert_true(follow(8, 1000 + 2 * SETTLE));
	assert_int_equal(sets.count, 8);
	assert_int_equal(sets.sets[0], 2);
	assert_int_equal(sets.sets[1], 2);
	assert_in_range(partners("s0", 8), 3, 6);
	expect_readable();
}

static void new_servers_that_never_end_get_places_too(void **state)
{
	long now;
	size_t count;

	for (now = 0, count = 1; now < PATIENCE; now += PATIENCE / 10, count++)
		assert_false(follow(count, now));
	assert_true(follow(count, now));
	assert_int_equal(sets.count, count);
	expect_readable();
}

static void one_that_is_gone_keeps_its_place_for_a_while(void **state)
{
	long gone = SETTLE + 1000, back = gone + PATIENCE, again = back + 1000;
	char *before, *after;

	follow(12, 0);
	assert_true(follow(12, SETTLE));
	before = sets_text(&sets);
	assert_false(pass(11, gone, back));
	assert_false(follow(12, back));
	assert_false(pass(11, again, again + PATIENCE));
	after = sets_text(&sets);
	assert_string_equal(before, after);
	assert_true(follow(11, again + PATIENCE));
	assert_int_equal(sets.count, 11);
	free(before);
	free(after);
	after = sets_text(&sets);
	assert_null(strstr(after, "\"s11\""));
	free(after);
	/* Another one has its place, and pairs stay. */
	servers[11] = servers[12];
	assert_true(pass(12, again + PATIENCE + 1000, again + 2 * PATIENCE));
	assert_int_equal(sets.count, 12);
	assert_int_equal(sets.sets[0], 3);
	expect_readable();
}

static void nobody_is_gone_while_nobody_looks(void **state)
{
	long away = 100 * PATIENCE;

	follow(12, 0);
	assert_true(follow(12, SETTLE));
	assert_false(follow(11, SETTLE + 1000));
	/* etcd was away meanwhile, and the server could not say that it is back. */
	assert_false(pass(11, away, away + PATIENCE - 2000));
	assert_true(pass(11, away + PATIENCE - 2000, away + 2 * PATIENCE));
}

static void a_directory_that_lost_them_changes_nothing(void **state)
{
	long lost = SETTLE + 1000, back = lost + 3 * PATIENCE;

	follow(10, 0);
	assert_true(follow(10, SETTLE));
	assert_false(pass(0, lost, lost + PATIENCE));
	assert_false(memory.held);
	assert_false(pass(0, lost + PATIENCE, lost + 2 * PATIENCE));
	assert_true(memory.held);
	assert_false(pass(4, lost + 2 * PATIENCE, back));
	assert_true(memory.held);
	/* Half of them are there: the others may still come. */
	assert_false(pass(5, back, back + PATIENCE - PATIENCE / 10));
	assert_false(memory.held);
	assert_true(pass(5, back + PATIENCE - PATIENCE / 10, back + 2 * PATIENCE));
	assert_int_equal(sets.count, 5);
	expect_readable();
}

static void no_sets(void **state)
{
	static const char *const texts[] = {
		"", "[]", "{}", "{\"permutations\":[]}", "{\"permutations\":[[],[],[]]}", "{\"permutations\":{}}",
		"{\"permutations\":[[[\"a\"]],{}]}",
		/* Not in each, twice, in two sets of one, unknown in the first. */
		"{\"permutations\":[[[\"a\",\"b\"]],[[\"a\"]]]}",
		"{\"permutations\":[[[\"a\",\"a\"]],[[\"a\"]]]}",
		"{\"permutations\":[[[\"a\"],[\"a\"]],[[\"a\"]]]}",
		"{\"permutations\":[[[\"a\"]],[[\"b\"]]]}",
		"{\"permutations\":[[[\"a\"],[\"b\"]],[[\"b\"],[\"b\"]]]}",
		/* Empty, too large, no texts. */
		"{\"permutations\":[[[]],[[]]]}",
		"{\"permutations\":[[[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]],[[\"1\"]]]}",
		"{\"permutations\":[[[1]],[[1]]]}", "{\"permutations\":[[[\"\"]],[[\"\"]]]}",
		"{\"permutations\":[[[\"a\"],[\"b\"],[\"c\"],[\"d\"],[\"e\"],[\"f\"],[\"g\"],[\"h\"],[\"i\"]],[[\"i\"]]]}",
	};
	struct sets read;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (sets_read(&read, texts[i]))
			fail_msg("'%s' was taken", texts[i]);
		sets_free(&read);
	}
	assert_true(sets_read(&read, "{\"permutations\":[[],[]]}"));
	sets_free(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(new_servers_get_places_together, start, end),
		cmocka_unit_test_setup_teardown(new_servers_that_never_end_get_places_too, start, end),
		cmocka_unit_test_setup_teardown(nobody_is_gone_while_nobody_looks, start, end),
		cmocka_unit_test_setup_teardown(one_that_is_gone_keeps_its_place_for_a_while, start, end),
		cmocka_unit_test_setup_teardown(a_directory_that_lost_them_changes_nothing, start, end),
		cmocka_unit_test(no_sets),
	};

	return cmocka_run_group_tests_name("sets", tests, NULL, NULL);
}
