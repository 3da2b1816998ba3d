// SPDX-License-Identifier: GPL-2.0
/*
 * test_placement.c - on which servers the chunks of a group go
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "placement.h"

#define MANY 40
#define MOST 1000

/* As the tools ask: for a copy that is alone, or the second one. */
static int choose(const struct place *places, size_t count, uint64_t bytes, const char *taken)
{
	const struct place other = { .domain = taken }, *others = &other;

	return placement_choose(places, count, bytes, &others, taken ? 1 : 0, false);
}

static void the_one_that_holds_least_gets_it(void **state)
{
	const struct place places[] = {
		{ .domain = "a", .load = 8, .free = 100 },
		{ .domain = "b", .load = 4, .free = 50 },
		{ .domain = "c", .load = 4, .free = 60 },
		{ .domain = "d", .load = 4, .free = 60 },
	};

	(void)state;
	assert_int_equal(choose(places, 4, 10, NULL), 2);
	assert_int_equal(choose(places, 4, 60, NULL), 2);
	assert_int_equal(choose(places, 4, 61, NULL), 0);
	assert_int_equal(choose(places, 4, 101, NULL), -1);
	assert_int_equal(choose(places, 0, 1, NULL), -1);
}

static void what_is_closed_or_taken_gets_none(void **state)
{
	const struct place places[] = {
		{ .domain = "a", .free = 100, .closed = true },
		{ .domain = "b", .load = 4, .free = UINT64_MAX },
		{ .domain = "c", .load = 9, .free = 60 },
		{ .domain = "b", .free = 60 },
	};

	(void)state;
	assert_int_equal(choose(places, 4, 10, NULL), 3);
	assert_int_equal(choose(places, 4, 10, "b"), 2);
	assert_int_equal(choose(places, 4, 61, "b"), -1);
	assert_int_equal(choose(places, 4, UINT64_MAX, "c"), 1);
}

/* Pairs over servers of one size: no copies together, and no server holds much more than another. */
static void pairs_lie_apart_and_spread(void **state)
{
	static const char *const domains[] = { "a", "b", "c", "d", "e", "f", "g" };
	struct place places[7];
	size_t count, i;
	int pair;

	(void)state;
	for (count = 2; count <= 7; count++) {
		for (i = 0; i < count; i++)
			places[i] = (struct place) { .domain = domains[i], .free = UINT64_MAX };
		for (pair = 0; pair < MANY; pair++) {
			int first = choose(places, count, 1, NULL), second;

			assert_true(first >= 0);
			places[first].load++;
			second = choose(places, count, 1, places[first].domain);
			assert_true(second >= 0 && second != first);
			places[second].load++;
		}
		for (i = 0; i < count; i++) {
			assert_true(places[i].load >= 2 * MANY / count);
			assert_true(places[i].load <= 2 * MANY / count + 1);
		}
	}
}

static struct place servers[MOST];
static char domains[MOST][24];
static struct placement_set sets[MOST * 3];

/* So many empty servers with room for @room chunks of one byte, in that many domains. */
static void have_servers(size_t count, size_t domain_count, uint64_t room)
{
	size_t i;

	for (i = 0; i < count; i++) {
		snprintf(domains[i], sizeof(domains[i]), "%zu", i % domain_count);
		servers[i] = (struct place) { .domain = domains[i], .free = room };
	}
}

static size_t cut(size_t count, unsigned int size, unsigned int permutations, uint64_t seed)
{
	memset(sets, 0, sizeof(sets));
	assert_true(placement_cut(servers, count, size, permutations, seed, sets));
	return placement_set_count(count, size, permutations);
}

static bool is_in(const struct placement_set *set, uint32_t server)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		if (set->server[i] == server)
			return true;
	return false;
}

static bool has_two_of_a_domain(const struct placement_set *set)
{
	size_t i, j;

	for (i = 0; i < set->count; i++)
		for (j = 0; j < i; j++)
			if (!strcmp(servers[set->server[i]].domain, servers[set->server[j]].domain))
				return true;
	return false;
}

/* Each server once in each permutation; sets differ by one server at most, and none is too large. */
static void expect_cut(size_t count, unsigned int size, unsigned int permutations)
{
	size_t set_count = cut(count, size, permutations, 7), of_one = set_count / permutations, i;
	unsigned int permutation;

	for (permutation = 0; permutation < permutations; permutation++) {
		bool seen[MOST] = { false };
		size_t members = 0, j;

		for (i = permutation * of_one; i < (permutation + 1) * of_one; i++) {
			assert_in_range(sets[i].count, count / of_one, size);
			for (j = 0; j < sets[i].count; j++) {
				assert_false(seen[sets[i].server[j]]);
				seen[sets[i].server[j]] = true;
				members++;
			}
		}
		assert_int_equal(members, count);
	}
}

static void each_server_is_in_a_set_of_each_permutation(void **state)
{
	size_t count;
	unsigned int size;

	(void)state;
	assert_int_equal(placement_set_count(0, 4, 2), 0);
	assert_int_equal(placement_set_count(1, 4, 2), 2);
	assert_int_equal(placement_set_count(5, 4, 2), 4);
	for (size = 1; size <= PLACEMENT_SET_MAX; size++)
		for (count = 1; count <= 40; count++) {
			have_servers(count, count, 1);
			expect_cut(count, size, 3);
		}
	have_servers(MOST, 40, 1);
	expect_cut(MOST, 4, 2);
	/* No server is left over for a set by itself. */
	have_servers(5, 5, 1);
	cut(5, 4, 1, 1);
	assert_int_equal(sets[0].count, 3);
	assert_int_equal(sets[1].count, 2);
}

static void the_same_seed_gives_the_same_sets(void **state)
{
	static struct placement_set first[MOST / 4 * 2];

	(void)state;
	have_servers(MOST, 40, 1);
	cut(MOST, 4, 2, 1);
	memcpy(first, sets, sizeof(first));
	cut(MOST, 4, 2, 1);
	assert_memory_equal(first, sets, sizeof(first));
	cut(MOST, 4, 2, 2);
	assert_memory_not_equal(first, sets, sizeof(first));
	/* The permutations of one cut are not the same either. */
	assert_memory_not_equal(sets, sets + MOST / 4, MOST / 4 * sizeof(*sets));
}

/* The generator's own first numbers: those of Vigna's splitmix64.c with the state 1234567. */
static void random_numbers_are_those_of_splitmix64(void **state)
{
	uint64_t random = 1234567;
	size_t i;

	(void)state;
	assert_true(placement_random(&random) == 6457827717110365317u);
	assert_true(placement_random(&random) == 3203168211198807973u);
	for (i = 0; i < MANY; i++)
		assert_in_range(placement_below(&random, 3), 0, 2);
	assert_int_equal(placement_below(&random, 1), 0);
}

/* A domain may have a quarter of all servers before a set of 4 has two of it. */
static void sets_are_cut_across_domains(void **state)
{
	size_t i, count;

	(void)state;
	have_servers(MOST, 4, 1);
	count = cut(MOST, 4, 2, 1);
	for (i = 0; i < count; i++)
		assert_false(has_two_of_a_domain(&sets[i]));
	/* Of 12 servers 6 are in one domain, 2 in each set; the others have one each. */
	have_servers(12, 12, 1);
	for (i = 0; i < 6; i++)
		servers[i].domain = "large";
	count = cut(12, 4, 2, 1);
	for (i = 0; i < count; i++) {
		size_t of_large = 0, j;

		for (j = 0; j < sets[i].count; j++)
			of_large += sets[i].server[j] < 6;
		assert_int_equal(of_large, 2);
	}
}

/* Chunks until nothing fits: no copies together, no server above its room. Returns how many. */
static size_t fill(size_t set_count, unsigned int copies)
{
	uint64_t random = 1;
	size_t chunks = 0;
	long set;

	while ((set = placement_pick(servers, sets, set_count, 1, copies, &random)) >= 0) {
		struct place of_set[PLACEMENT_SET_MAX];
		uint32_t at[PLACEMENT_COPIES_MAX];
		unsigned int i, j;

		placement_gather(servers, &sets[set], of_set);
		assert_true(placement_chunk(of_set, sets[set].count, 1, copies, at));
		for (i = 0; i < copies; i++) {
			struct place *place = &servers[sets[set].server[at[i]]];

			assert_false(place->closed);
			assert_true(place->free > 0);
			place->free--;
			place->load++;
			for (j = 0; j < i; j++)
				assert_string_not_equal(of_set[at[i]].domain, of_set[at[j]].domain);
		}
		chunks++;
	}
	return chunks;
}

static void copies_lie_apart_until_nothing_fits(void **state)
{
	(void)state;
	have_servers(100, 10, 20);
	assert_in_range(fill(cut(100, 4, 2, 1), 2), 950, 1000);
	have_servers(100, 10, 20);
	assert_in_range(fill(cut(100, 4, 2, 1), 3), 600, 666);
	have_servers(100, 10, 20);
	assert_int_equal(fill(cut(100, 4, 2, 1), 1), 2000);
	/* Domains of 60, 30 and 10: what is not in the large one is what limits. */
	have_servers(100, 10, 20);
	for (size_t i = 0; i < 90; i++)
		servers[i].domain = i < 60 ? "large" : "medium";
	assert_in_range(fill(cut(100, 4, 2, 1), 2), 600, 800);
}

static void few_servers_do(void **state)
{
	(void)state;
	assert_int_equal(fill(0, 1), 0);
	have_servers(1, 1, 10);
	assert_int_equal(fill(cut(1, 4, 2, 1), 1), 10);
	have_servers(1, 1, 10);
	assert_int_equal(fill(cut(1, 4, 2, 1), 2), 0);
	have_servers(2, 2, 10);
	assert_int_equal(fill(cut(2, 4, 2, 1), 2), 10);
	have_servers(2, 1, 10);
	assert_int_equal(fill(cut(2, 4, 2, 1), 2), 0);
	have_servers(3, 3, 10);
	assert_int_equal(fill(cut(3, 4, 2, 1), 2), 15);
	have_servers(4, 2, 10);
	assert_int_equal(fill(cut(4, 4, 2, 1), 2), 20);
	have_servers(5, 5, 10);
	assert_in_range(fill(cut(5, 4, 2, 1), 2), 24, 25);
}

static void closed_and_full_servers_get_none(void **state)
{
	(void)state;
	have_servers(8, 8, 10);
	servers[1].closed = true;
	servers[2].free = 0;
	assert_int_equal(fill(cut(8, 8, 1, 1), 2), 30);
	assert_int_equal(servers[1].free, 10);
}

static void the_emptier_set_is_chosen(void **state)
{
	uint64_t random = 3;
	size_t i, emptier = 0, set_count;

	(void)state;
	have_servers(8, 8, 100);
	set_count = cut(8, 4, 1, 1);
	assert_int_equal(set_count, 2);
	for (i = 0; i < 8; i++)
		servers[i].load = is_in(&sets[1], i) ? 10 : 20;
	/* Both are drawn in half of all cases, the emptier one alone in a quarter. */
	for (i = 0; i < 400; i++)
		emptier += placement_pick(servers, sets, set_count, 1, 2, &random) == 1;
	assert_in_range(emptier, 270, 330);
	/* A full one is never chosen, whatever its load. */
	for (i = 0; i < 8; i++)
		if (is_in(&sets[1], i))
			servers[i] = (struct place) { .domain = domains[i] };
	for (i = 0; i < 40; i++)
		assert_int_equal(placement_pick(servers, sets, set_count, 1, 2, &random), 0);
	/* What is closed says nothing of the others' load. */
	for (i = 0; i < 8; i++)
		servers[i] = (struct place) {
			.domain = domains[i], .free = 100, .load = is_in(&sets[1], i) ? 9 : 10,
		};
	servers[sets[1].server[0]].load = 1000;
	servers[sets[1].server[0]].closed = true;
	for (i = emptier = 0; i < 400; i++)
		emptier += placement_pick(servers, sets, set_count, 1, 2, &random) == 1;
	assert_in_range(emptier, 270, 330);
}

/* Of the servers that a group has the emptiest one, in a set of the other copy's. */
static void a_new_copy_stays_in_a_set_of_the_other(void **state)
{
	struct place places[] = {
		{ .domain = "a", .load = 9, .free = 10, .sets = 1 | 2 },
		{ .domain = "b", .load = 2, .free = 10, .sets = 1 },
		{ .domain = "c", .load = 1, .free = 10, .sets = 2 },
		{ .domain = "d", .load = 0, .free = 10, .sets = 4 },
	};
	const struct place *others[] = { &places[0], &places[1] };

	(void)state;
	assert_int_equal(placement_choose(places, 4, 1, others, 1, false), 2);
	places[2].closed = true;
	assert_int_equal(placement_choose(places, 4, 1, others, 1, false), 1);
	places[1].domain = "a";
	assert_int_equal(placement_choose(places, 4, 1, others, 1, false), -1);
	/* One that is in no set goes with all. */
	places[3].sets = 0;
	assert_int_equal(placement_choose(places, 4, 1, others, 1, false), 3);
	places[3].sets = 4;
	places[2].closed = false;
	/* No set has a third server beside both. */
	places[1].domain = "b";
	assert_int_equal(placement_choose(places, 4, 1, others, 2, false), -1);
}

/* The emptiest server is no place for the first copy if none is left for the second one. */
static void the_first_copy_leaves_a_place_for_the_next(void **state)
{
	struct place places[] = {
		{ .domain = "a", .load = 0, .free = 10, .sets = 1 },
		{ .domain = "a", .load = 1, .free = 10, .sets = 1 },
		{ .domain = "b", .load = 2, .free = 10, .sets = 2 },
		{ .domain = "c", .load = 3, .free = 10, .sets = 2 },
	};
	uint32_t at[2];

	(void)state;
	assert_int_equal(placement_choose(places, 4, 1, NULL, 0, false), 0);
	assert_int_equal(placement_choose(places, 4, 1, NULL, 0, true), 2);
	assert_true(placement_chunk(places, 4, 1, 2, at));
	assert_int_equal(at[0], 2);
	assert_int_equal(at[1], 3);
	assert_false(placement_chunk(places, 4, 1, 3, at));
	places[3].closed = true;
	assert_false(placement_chunk(places, 4, 1, 2, at));
}

static void take_out(uint32_t server, size_t set_count)
{
	size_t i, j;

	for (i = 0; i < set_count; i++)
		for (j = 0; j < sets[i].count; j++)
			if (sets[i].server[j] == server)
				sets[i].server[j--] = sets[i].server[--sets[i].count];
}

/* The last server takes the number of one that goes. */
static size_t go(uint32_t server, size_t count, size_t set_count)
{
	size_t i, j;

	take_out(server, set_count);
	for (i = 0; i < set_count; i++)
		for (j = 0; j < sets[i].count; j++)
			if (sets[i].server[j] == count - 1)
				sets[i].server[j] = server;
	memmove(domains[server], domains[count - 1], sizeof(*domains));
	return count - 1;
}

static size_t come(size_t domain, size_t count)
{
	snprintf(domains[count], sizeof(*domains), "%zu", domain);
	servers[count] = (struct place) { .domain = domains[count], .free = 1 };
	return count + 1;
}

/* Each server is in one set, none of which is too small or too large. */
static void expect_mended(size_t count, size_t set_count)
{
	bool seen[MOST] = { false };
	size_t members = 0, i, j;

	for (i = 0; i < set_count; i++) {
		assert_in_range(sets[i].count, count > 1 ? 2 : 1, 7);
		assert_false(has_two_of_a_domain(&sets[i]));
		for (j = 0; j < sets[i].count; j++) {
			assert_in_range(sets[i].server[j], 0, count - 1);
			assert_false(seen[sets[i].server[j]]);
			seen[sets[i].server[j]] = true;
			members++;
		}
	}
	assert_int_equal(members, count);
}

static void sets_follow_servers_that_come_and_go(void **state)
{
	size_t count = 0, set_count = 0, domain = 0, steps, i;
	uint64_t random = 3;

	(void)state;
	assert_true(placement_mend(servers, 0, 4, 1, sets, &set_count));
	assert_int_equal(set_count, 0);
	while (count < MANY) {
		count = come(domain++, count);
		assert_true(placement_mend(servers, count, 4, random, sets, &set_count));
		expect_mended(count, set_count);
	}
	/* At random, and down again. */
	for (steps = 0; steps < 600; steps++) {
		size_t moves = 1 + placement_below(&random, 4);

		for (i = 0; i < moves; i++)
			if (!count || (steps < 400 && count < MANY && placement_below(&random, steps < 200 ? 4 : 2)))
				count = come(domain++, count);
			else
				count = go(placement_below(&random, count), count, set_count);
		assert_true(placement_mend(servers, count, 4, random, sets, &set_count));
		if (count)
			expect_mended(count, set_count);
	}
}

/* Servers that shared a set still do; 12 come back, and 12 others come. */
static void few_pairs_are_new(void **state)
{
	static struct placement_set before[MOST];
	size_t count = MOST, set_count = 0, i, same = 0;

	(void)state;
	have_servers(MOST - 12, MOST, 1);
	assert_true(placement_mend(servers, MOST - 12, 4, 5, sets, &set_count));
	/* As placement_cut() does it. */
	assert_int_equal(set_count, placement_set_count(MOST - 12, 4, 1));
	for (i = 0; i < 12; i++)
		take_out(i, set_count);
	memcpy(before, sets, sizeof(before));
	for (i = MOST - 12; i < MOST; i++)
		come(i, i);
	assert_true(placement_mend(servers, count, 4, 5, sets, &set_count));
	for (i = 0; i < set_count; i++) {
		assert_in_range(sets[i].count, before[i].count, 5);
		assert_memory_equal(sets[i].server, before[i].server, before[i].count * sizeof(*before[i].server));
		same += sets[i].count == before[i].count;
	}
	/* 12 have the places of those that were gone, the others are too few for sets of their own. */
	assert_in_range(same, set_count - 24, set_count - 12);
	assert_int_equal(set_count, placement_set_count(MOST - 12, 4, 1));
	expect_mended(count, set_count);
}

static void use_is_a_part_of_the_pool(void **state)
{
	(void)state;
	assert_int_equal(placement_use(8, 8), 0);
	assert_int_equal(placement_use(8, 4), 32768);
	assert_int_equal(placement_use(UINT64_MAX, 0), 65536);
	assert_int_equal(placement_use(0, 0), 65536);
}

/* Each set can hold two copies, whatever comes in whatever order. */
static void expect_useful(size_t count, size_t set_count)
{
	size_t i, k, members = 0;

	for (i = 0; i < set_count; i++) {
		bool apart = false;

		assert_in_range(sets[i].count, 2, 7);
		for (k = 1; k < sets[i].count; k++)
			apart |= strcmp(servers[sets[i].server[k]].domain, servers[sets[i].server[0]].domain);
		assert_true(apart);
		members += sets[i].count;
	}
	assert_int_equal(members, count);
}

static void racks_that_come_one_by_one_share_sets(void **state)
{
	size_t racks, batch;

	(void)state;
	for (racks = 2; racks <= 5; racks++)
		for (batch = 1; batch <= 21; batch += 5) {
			size_t count = 0, set_count = 0, rack, i;
			uint64_t random = racks * 100 + batch;

			for (rack = 0; rack < racks; rack++) {
				for (i = 0; i < batch; i++)
					count = come(rack, count);
				assert_true(placement_mend(servers, count, 4, random, sets, &set_count));
				/* The second rack is what the first one lacked. */
				if (rack)
					expect_useful(count, set_count);
			}
			/* One after the other is replaced by another one of its rack. */
			for (i = 0; i < count; i++) {
				rack = atoi(domains[0]);
				count = go(0, count, set_count);
				count = come(rack, count);
				assert_true(placement_mend(servers, count, 4, random + i, sets, &set_count));
				expect_useful(count, set_count);
			}
		}
}

/* An administrator says later that servers of a set are in one rack. */
static void a_set_of_one_rack_is_dissolved(void **state)
{
	size_t set_count = 0, i;

	(void)state;
	have_servers(8, 8, 1);
	assert_true(placement_mend(servers, 8, 4, 1, sets, &set_count));
	assert_int_equal(set_count, 2);
	for (i = 0; i < sets[0].count; i++)
		strcpy(domains[sets[0].server[i]], "one");
	assert_true(placement_mend(servers, 8, 4, 2, sets, &set_count));
	expect_useful(8, set_count);
}

/* A rack that joins many: one of its servers a set, and none of all its own. */
static void a_rack_joins_others(void **state)
{
	size_t count = 400, set_count = 0, i, before;

	(void)state;
	have_servers(count, 40, 1);
	assert_true(placement_mend(servers, count, 4, 5, sets, &set_count));
	before = set_count;
	for (i = 0; i < 20; i++)
		count = come(99, count);
	assert_true(placement_mend(servers, count, 4, 6, sets, &set_count));
	assert_int_equal(set_count, before);
	expect_mended(count, set_count);
	/* Many of many racks make sets of their own. */
	for (i = 0; i < 20; i++)
		count = come(100 + i % 5, count);
	assert_true(placement_mend(servers, count, 4, 7, sets, &set_count));
	assert_int_equal(set_count, before + 5);
	expect_mended(count, set_count);
}

static void news_are_a_sixteenth(void **state)
{
	(void)state;
	assert_false(placement_is_news(160, 100, 100));
	assert_false(placement_is_news(160, 100, 109));
	assert_true(placement_is_news(160, 100, 110));
	assert_true(placement_is_news(160, 100, 90));
	assert_false(placement_is_news(160, 100, 91));
	assert_true(placement_is_news(UINT64_MAX, 0, UINT64_MAX));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_one_that_holds_least_gets_it),
		cmocka_unit_test(what_is_closed_or_taken_gets_none),
		cmocka_unit_test(pairs_lie_apart_and_spread),
		cmocka_unit_test(each_server_is_in_a_set_of_each_permutation),
		cmocka_unit_test(the_same_seed_gives_the_same_sets),
		cmocka_unit_test(random_numbers_are_those_of_splitmix64),
		cmocka_unit_test(sets_are_cut_across_domains),
		cmocka_unit_test(copies_lie_apart_until_nothing_fits),
		cmocka_unit_test(few_servers_do),
		cmocka_unit_test(closed_and_full_servers_get_none),
		cmocka_unit_test(the_emptier_set_is_chosen),
		cmocka_unit_test(a_new_copy_stays_in_a_set_of_the_other),
		cmocka_unit_test(the_first_copy_leaves_a_place_for_the_next),
		cmocka_unit_test(sets_follow_servers_that_come_and_go),
		cmocka_unit_test(few_pairs_are_new),
		cmocka_unit_test(racks_that_come_one_by_one_share_sets),
		cmocka_unit_test(a_set_of_one_rack_is_dissolved),
		cmocka_unit_test(a_rack_joins_others),
		cmocka_unit_test(news_are_a_sixteenth),
		cmocka_unit_test(use_is_a_part_of_the_pool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
