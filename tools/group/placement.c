// SPDX-License-Identifier: GPL-2.0
#include "placement.h"

#include <stdlib.h>
#include <string.h>

#define FULL UINT64_MAX

uint64_t placement_random(uint64_t *state)
{
	uint64_t bits = *state += 0x9e3779b97f4a7c15;

	bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
	bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
	return bits ^ bits >> 31;
}

uint32_t placement_below(uint64_t *state, uint32_t bound)
{
	return (placement_random(state) >> 32) * bound >> 32;
}

uint64_t placement_use(uint64_t size, uint64_t free)
{
	return size ? (unsigned __int128)(size - free) * 65536 / size : 65536;
}

bool placement_is_news(uint64_t size, uint64_t was, uint64_t is)
{
	return (is > was ? is - was : was - is) >= size / PLACEMENT_NEWS;
}

static bool is_better(const struct place *a, const struct place *b)
{
	return a->load != b->load ? a->load < b->load : a->free > b->free;
}

/* Few pairs of servers share chunks: those of a set. */
static bool share_a_set(const struct place *a, const struct place *b)
{
	return !a->sets || !b->sets || (a->sets & b->sets);
}

static bool go_together(const struct place *a, const struct place *b)
{
	return strcmp(a->domain, b->domain) && share_a_set(a, b);
}

static bool can_take(const struct place *place, uint64_t bytes, const struct place *const *others, size_t other_count)
{
	size_t i;

	if (place->closed || place->free < bytes)
		return false;
	for (i = 0; i < other_count; i++)
		if (!go_together(place, others[i]))
			return false;
	return true;
}

/* Could one more copy lie beside this one? */
static bool has_partner(const struct place *places, size_t count, uint64_t bytes,
			const struct place *const *others, size_t other_count, const struct place *place)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (can_take(&places[i], bytes, others, other_count) && go_together(&places[i], place))
			return true;
	return false;
}

int placement_choose(const struct place *places, size_t count, uint64_t bytes,
		     const struct place *const *others, size_t other_count, bool more)
{
	int best = -1;
	size_t i;

	for (i = 0; i < count; i++)
		if (can_take(&places[i], bytes, others, other_count) &&
		    (best < 0 || is_better(&places[i], &places[best])) &&
		    (!more || has_partner(places, count, bytes, others, other_count, &places[i])))
			best = i;
	return best;
}

bool placement_chunk(const struct place *places, size_t count, uint64_t bytes, unsigned int copies,
		     uint32_t *at)
{
	const struct place *others[PLACEMENT_COPIES_MAX];
	unsigned int copy;

	for (copy = 0; copy < copies; copy++) {
		int chosen = placement_choose(places, count, bytes, others, copy, copy + 1 < copies);

		if (chosen < 0)
			return false;
		at[copy] = chosen;
		others[copy] = &places[chosen];
	}
	return true;
}

void placement_gather(const struct place *places, const struct placement_set *set, struct place *of_set)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		of_set[i] = places[set->server[i]];
}

static size_t sets_of_one(size_t servers, unsigned int size)
{
	return (servers + size - 1) / size;
}

size_t placement_set_count(size_t servers, unsigned int size, unsigned int permutations)
{
	return sets_of_one(servers, size) * permutations;
}

/* A server in a permutation: those of a domain come one after the other. */
struct card {
	uint64_t domain_at;
	const char *domain;
	uint64_t at;
	uint32_t server;
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_cards(const void *left, const void *right)
{
	const struct card *a = left, *b = right;

	return compare(a->domain_at, b->domain_at) ?: strcmp(a->domain, b->domain) ?:
		compare(a->at, b->at) ?: compare(a->server, b->server);
}

/* Where a domain comes in a permutation: FNV-1a of its name and a salt, mixed. */
static uint64_t place_of_domain(const char *domain, uint64_t salt)
{
	uint64_t hash = 0xcbf29ce484222325 ^ salt;

	for (; *domain; domain++)
		hash = (hash ^ (unsigned char)*domain) * 0x100000001b3;
	return placement_random(&hash);
}

/* @cards have their servers; they get their order. */
static void shuffle(const struct place *places, struct card *cards, size_t count, uint64_t *random)
{
	uint64_t salt = placement_random(random);
	size_t i;

	for (i = 0; i < count; i++) {
		cards[i].domain = places[cards[i].server].domain;
		cards[i].domain_at = place_of_domain(cards[i].domain, salt);
		cards[i].at = placement_random(random);
	}
	qsort(cards, count, sizeof(*cards), compare_cards);
}

/* One card to each set in turn: neighbours, which may be of one domain, come apart. */
static void deal(const struct card *cards, size_t count, struct placement_set *sets, size_t set_count)
{
	size_t i;

	for (i = 0; i < set_count; i++)
		sets[i].count = 0;
	for (i = 0; i < count; i++) {
		struct placement_set *set = &sets[i % set_count];

		set->server[set->count++] = cards[i].server;
	}
}

bool placement_cut(const struct place *places, size_t count, unsigned int size,
		   unsigned int permutations, uint64_t seed, struct placement_set *sets)
{
	size_t of_one = sets_of_one(count, size);
	struct card *cards = calloc(count + 1, sizeof(*cards));
	unsigned int i;
	size_t server;

	if (!cards)
		return false;
	for (i = 0; i < permutations; i++) {
		for (server = 0; server < count; server++)
			cards[server].server = server;
		shuffle(places, cards, count, &seed);
		deal(cards, count, sets + i * of_one, of_one);
	}
	free(cards);
	return true;
}

static unsigned int count_of_domain(const struct place *places, const struct placement_set *set, const char *domain)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < set->count; i++)
		count += !strcmp(places[set->server[i]].domain, domain);
	return count;
}

/* It can't hold two copies of anything. */
static bool is_of_one_domain(const struct place *places, const struct placement_set *set)
{
	return count_of_domain(places, set, places[set->server[0]].domain) == set->count;
}

/* Of the sets that take one more the one with fewest of that domain, of these the smallest; NULL: none does. */
static struct placement_set *best_for(const struct place *places, struct placement_set *sets, size_t count,
				      unsigned int most, const char *domain)
{
	struct placement_set *best = NULL;
	unsigned int same, least = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (sets[i].count >= most)
			continue;
		same = count_of_domain(places, &sets[i], domain);
		if (best && (same > least || (same == least && sets[i].count >= best->count)))
			continue;
		best = &sets[i];
		least = same;
	}
	return best;
}

static bool has_domains(const struct place *places, size_t count)
{
	size_t i;

	for (i = 1; i < count; i++)
		if (strcmp(places[i].domain, places[0].domain))
			return true;
	return false;
}

/* The servers that are in no set.  A set that can't hold two copies is none, if there are others. */
static size_t gather_free(const struct place *places, size_t count, struct placement_set *sets, size_t *set_count,
			  struct card *cards)
{
	bool domains = has_domains(places, count);
	size_t i, k, free = 0;

	for (i = 0; i < count; i++)
		cards[i].server = 0;
	for (i = 0; i < *set_count;) {
		if (sets[i].count < 2 || (domains && is_of_one_domain(places, &sets[i]))) {
			sets[i] = sets[--*set_count];
			continue;
		}
		for (k = 0; k < sets[i].count; k++)
			cards[sets[i].server[k]].server = 1;
		i++;
	}
	for (i = 0; i < count; i++)
		if (!cards[i].server)
			cards[free++].server = i;
	return free;
}

/*
 * The places of servers that are gone; where racks are few, beside another one of the same.
 * Return: how many servers found none, in their order.
 */
static size_t fill_up(const struct place *places, unsigned int size, struct placement_set *sets, size_t set_count,
		      struct card *cards, size_t count)
{
	size_t i, left = 0;

	for (i = 0; i < count; i++) {
		struct placement_set *set = best_for(places, sets, set_count, size, cards[i].domain);

		if (set && 2 * count_of_domain(places, set, cards[i].domain) <= set->count)
			set->server[set->count++] = cards[i].server;
		else
			cards[left++] = cards[i];
	}
	return left;
}

static void split(const struct place *places, unsigned int size, uint64_t *random, struct placement_set *sets,
		  size_t *set_count, struct placement_set *set)
{
	struct card cards[PLACEMENT_SET_MAX];
	struct placement_set halves[2];
	size_t i;

	if (set->count < 2 * size)
		return;
	for (i = 0; i < set->count; i++)
		cards[i].server = set->server[i];
	shuffle(places, cards, i, random);
	deal(cards, i, halves, 2);
	*set = halves[0];
	sets[(*set_count)++] = halves[1];
}

/* Do they make sets of their own, and others in each permutation? */
static bool are_many(const struct card *cards, size_t count, unsigned int size)
{
	unsigned int domains = 1;
	size_t i;

	for (i = 1; i < count; i++)
		domains += strcmp(cards[i].domain, cards[i - 1].domain) != 0;
	return count >= size * size && domains >= size;
}

bool placement_mend(const struct place *places, size_t count, unsigned int size, uint64_t seed,
		    struct placement_set *sets, size_t *set_count)
{
	struct card *cards = calloc(count + 1, sizeof(*cards));
	size_t left, i;

	if (!cards)
		return false;
	left = gather_free(places, count, sets, set_count, cards);
	for (i = 0; i < *set_count; i++)
		split(places, size, &seed, sets, set_count, &sets[i]);
	shuffle(places, cards, left, &seed);
	left = fill_up(places, size, sets, *set_count, cards, left);
	if (!*set_count || are_many(cards, left, size)) {
		deal(cards, left, sets + *set_count, sets_of_one(left, size));
		*set_count += sets_of_one(left, size);
		left = 0;
	}
	for (i = 0; i < left; i++) {
		struct placement_set *set = best_for(places, sets, *set_count, 2 * size, cards[i].domain);

		set->server[set->count++] = cards[i].server;
		split(places, size, &seed, sets, set_count, set);
	}
	free(cards);
	return true;
}

/* The mean load of its servers that are open, or FULL: a chunk can't go there. */
static uint64_t load_of(const struct place *places, const struct placement_set *set, uint64_t bytes,
			unsigned int copies)
{
	struct place of_set[PLACEMENT_SET_MAX];
	uint32_t at[PLACEMENT_COPIES_MAX];
	uint64_t load = 0, open = 0;
	size_t i;

	placement_gather(places, set, of_set);
	if (!placement_chunk(of_set, set->count, bytes, copies, at))
		return FULL;
	for (i = 0; i < set->count; i++) {
		if (of_set[i].closed)
			continue;
		load += of_set[i].load;
		open++;
	}
	return load / open;
}

long placement_pick(const struct place *places, const struct placement_set *sets, size_t count,
		    uint64_t bytes, unsigned int copies, uint64_t *random)
{
	uint64_t load, other_load;
	size_t set, other, i;

	if (!count)
		return -1;
	set = placement_below(random, count);
	other = placement_below(random, count);
	load = load_of(places, &sets[set], bytes, copies);
	other_load = load_of(places, &sets[other], bytes, copies);
	if (load != FULL || other_load != FULL)
		return load <= other_load ? set : other;
	for (i = 1; i < count; i++) {
		other = (set + i) % count;
		if (load_of(places, &sets[other], bytes, copies) != FULL)
			return other;
	}
	return -1;
}
