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

static bool can_take(const struct place *place, uint64_t bytes, const char *const *taken, size_t taken_count)
{
	size_t i;

	if (place->closed || place->free < bytes)
		return false;
	for (i = 0; i < taken_count; i++)
		if (!strcmp(taken[i], place->domain))
			return false;
	return true;
}

int placement_choose(const struct place *places, size_t count, uint64_t bytes,
		     const char *const *taken, size_t taken_count)
{
	int best = -1;
	size_t i;

	for (i = 0; i < count; i++)
		if (can_take(&places[i], bytes, taken, taken_count) &&
		    (best < 0 || is_better(&places[i], &places[best])))
			best = i;
	return best;
}

bool placement_chunk(const struct place *places, size_t count, uint64_t bytes, unsigned int copies,
		     uint32_t *at)
{
	const char *taken[PLACEMENT_COPIES_MAX];
	unsigned int copy;

	for (copy = 0; copy < copies; copy++) {
		int chosen = placement_choose(places, count, bytes, taken, copy);

		if (chosen < 0)
			return false;
		at[copy] = chosen;
		taken[copy] = places[chosen].domain;
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

/* The smallest set that takes one more and has none of that domain; NULL: there is none. */
static struct placement_set *smallest(const struct place *places, struct placement_set *sets, size_t count,
				      unsigned int most, const char *domain)
{
	struct placement_set *best = NULL;
	size_t i, k;

	for (i = 0; i < count; i++) {
		for (k = 0; k < sets[i].count; k++)
			if (!strcmp(places[sets[i].server[k]].domain, domain))
				break;
		if (k == sets[i].count && k < most && (!best || k < best->count))
			best = &sets[i];
	}
	return best;
}

/* The servers that are in no set.  One that is left alone in a set leaves it. */
static size_t gather_free(size_t count, struct placement_set *sets, size_t *set_count, struct card *cards)
{
	size_t i, k, free = 0;

	for (i = 0; i < count; i++)
		cards[i].server = 0;
	for (i = 0; i < *set_count;) {
		if (sets[i].count < 2) {
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

/* The places of servers that are gone.  Return: how many servers found none, in their order. */
static size_t fill_up(const struct place *places, unsigned int size, struct placement_set *sets, size_t set_count,
		      struct card *cards, size_t count)
{
	size_t i, left = 0;

	for (i = 0; i < count; i++) {
		struct placement_set *set = smallest(places, sets, set_count, size, cards[i].domain);

		if (set)
			set->server[set->count++] = cards[i].server;
		else
			cards[left++] = cards[i];
	}
	return left;
}

static void split(const struct place *places, unsigned int size, uint64_t *random, struct placement_set *sets,
		  size_t *set_count)
{
	struct card cards[PLACEMENT_SET_MAX];
	struct placement_set halves[2];
	size_t i, k;

	for (i = 0; i < *set_count; i++) {
		if (sets[i].count < 2 * size)
			continue;
		for (k = 0; k < sets[i].count; k++)
			cards[k].server = sets[i].server[k];
		shuffle(places, cards, k, random);
		deal(cards, k, halves, 2);
		sets[i] = halves[0];
		sets[(*set_count)++] = halves[1];
	}
}

bool placement_mend(const struct place *places, size_t count, unsigned int size, uint64_t seed,
		    struct placement_set *sets, size_t *set_count)
{
	struct card *cards = calloc(count + 1, sizeof(*cards));
	struct placement_set *set = NULL;
	size_t left;

	if (!cards)
		return false;
	left = gather_free(count, sets, set_count, cards);
	shuffle(places, cards, left, &seed);
	left = fill_up(places, size, sets, *set_count, cards, left);
	if (left == 1)
		set = smallest(places, sets, *set_count, 2 * size, cards->domain);
	if (set) {
		set->server[set->count++] = cards->server;
	} else {
		deal(cards, left, sets + *set_count, sets_of_one(left, size));
		*set_count += sets_of_one(left, size);
	}
	split(places, size, &seed, sets, set_count);
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

static bool has(const struct placement_set *set, uint32_t server)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		if (set->server[i] == server)
			return true;
	return false;
}

static bool has_all(const struct placement_set *set, const uint32_t *servers, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!has(set, servers[i]))
			return false;
	return true;
}

long placement_again(const struct place *places, const struct placement_set *sets, size_t count,
		     uint64_t bytes, const uint32_t *others, size_t other_count)
{
	const char *taken[PLACEMENT_COPIES_MAX];
	struct place of_set[PLACEMENT_SET_MAX];
	long best = -1;
	size_t i;

	for (i = 0; i < other_count; i++)
		taken[i] = places[others[i]].domain;
	for (i = 0; i < count; i++) {
		int at;

		if (!has_all(&sets[i], others, other_count))
			continue;
		placement_gather(places, &sets[i], of_set);
		at = placement_choose(of_set, sets[i].count, bytes, taken, other_count);
		if (at >= 0 && (best < 0 || is_better(&of_set[at], &places[best])))
			best = sets[i].server[at];
	}
	return best;
}
