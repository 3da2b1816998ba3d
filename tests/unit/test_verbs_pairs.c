// SPDX-License-Identifier: GPL-2.0
/* test_verbs_pairs.c - a sweep has every two values together, or knows that they cannot be */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "verbs/mode.h"
#include "verbs/pairs.h"

static struct factor factors[] = {
	{ .levels = 6, .value = { OP_WRITE, OP_SEND, OP_WRITE_IMM, OP_READ, OP_CAS, OP_FADD } },
	{ .levels = 3, .value = { TRANSPORT_RC, TRANSPORT_UC, TRANSPORT_UD } },
	{ .levels = 2, .value = { 8, 512 } },
	{ .levels = 2, .value = { 0, 1 } },
	{ .levels = 2, .value = { 0, 1 } },
};

static const char *const names[] = { "op", "transport", "size", "srq", "mw" };

#define FACTORS 5

static void begin(struct cover *cover)
{
	unsigned int i;

	memset(cover, 0, sizeof(*cover));
	options_init(&cover->initial);
	for (i = 0; i < FACTORS; i++) {
		factors[i].row = options_find(names[i]);
		*options_number(factors[i].row, &cover->initial) = factors[i].value[0];
	}
	cover->factors = factors;
	cover->count = FACTORS;
}

static unsigned int level(const struct options *options, unsigned int factor)
{
	unsigned int i = 0;

	while (factors[factor].value[i] != *options_number(factors[factor].row, options))
		i++;
	return i;
}

/* Two values together: is there any legal run of all that has them? */
static bool possible(unsigned int a, unsigned int i, unsigned int b, unsigned int j)
{
	unsigned int at[FACTORS] = { 0 }, n;
	struct options options;

	do {
		options_init(&options);
		for (n = 0; n < FACTORS; n++)
			*options_number(factors[n].row, &options) = factors[n].value[at[n]];
		if (at[a] == i && at[b] == j && !mode_refusal(&options))
			return true;
		for (n = 0; n < FACTORS && ++at[n] == factors[n].levels; n++)
			at[n] = 0;
	} while (n < FACTORS);
	return false;
}

static void every_two(void **state)
{
	bool met[FACTORS][LEVELS_MAX][FACTORS][LEVELS_MAX] = { 0 };
	unsigned int a, b, i, j, runs = 0, all = 1;
	struct options plain, rich;
	struct cover cover;
	struct pair pair;

	(void)state;
	begin(&cover);
	while (pairs_next(&cover, &pair, &plain, &rich)) {
		assert_null(mode_refusal(&plain));
		assert_null(mode_refusal(&rich));
		for (a = 0; a < FACTORS; a++)
			for (b = 0; b < FACTORS; b++)
				met[a][level(&rich, a)][b][level(&rich, b)] = true;
		pairs_done(&cover, &rich);
		runs++;
	}
	for (a = 0; a < FACTORS; a++)
		for (b = a + 1; b < FACTORS; b++)
			for (i = 0; i < factors[a].levels; i++)
				for (j = 0; j < factors[b].levels; j++)
					if (met[a][i][b][j] != possible(a, i, b, j))
						fail_msg("%s %u and %s %u: %s", names[a], i, names[b], j,
							 met[a][i][b][j] ? "met" : "never met");
	for (a = 0; a < FACTORS; a++)
		all *= factors[a].levels;
	assert_in_range(runs, 10, all / 3);
}

/* What a device refuses is not tried again, and keeps nothing else from being tried. */
static void refused(void **state)
{
	struct options plain, rich;
	unsigned int count[3];
	struct cover cover;
	struct pair pair, found = { 0 };
	bool seen = false;

	(void)state;
	begin(&cover);
	while (pairs_next(&cover, &pair, &plain, &rich)) {
		/* This device has no fetch-and-add through windows. */
		if (plain.op == OP_FADD && plain.mw) {
			assert_false(seen);
			seen = true;
			pairs_refused(&cover, &pair);
		} else {
			if (!(rich.op == OP_FADD && rich.mw))
				pairs_done(&cover, &rich);
			else
				pairs_done(&cover, &plain);
		}
	}
	assert_true(seen);
	pairs_count(&cover, count);
	assert_int_equal(count[0], 0);
	seen = false;
	while (pairs_impossible(&cover, &found))
		if (!pairs_reason(&cover, &found, &plain)) {
			assert_false(seen);
			seen = plain.op == OP_FADD && plain.mw;
		}
	assert_true(seen);
}

/* The reason is about these two, not about what one of them needs besides. */
static void reasons(void **state)
{
	struct pair pair = { .a = 1, .i = 2, .b = 4, .j = 1 };	/* UD and windows */
	struct options options;
	struct cover cover;

	(void)state;
	begin(&cover);
	assert_non_null(strstr(pairs_reason(&cover, &pair, &options), "UD carries SEND alone"));
	pair = (struct pair) { .a = 0, .i = 5, .b = 2, .j = 1 };	/* FADD and 512 bytes */
	assert_non_null(strstr(pairs_reason(&cover, &pair, &options), "8 bytes"));
	pair = (struct pair) { .a = 2, .i = 1, .b = 1, .j = 2 };	/* 512 bytes and UD: a SEND */
	assert_null(pairs_reason(&cover, &pair, &options));
	assert_int_equal(options.op, OP_SEND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_two),
		cmocka_unit_test(refused),
		cmocka_unit_test(reasons),
	};

	return cmocka_run_group_tests_name("verbs_pairs", tests, NULL, NULL);
}
