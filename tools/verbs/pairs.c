// SPDX-License-Identifier: GPL-2.0
#include "pairs.h"

#include <string.h>

#include "mode.h"

enum { TO_DO, DONE, IMPOSSIBLE };

#define CHANGES 3		/* other options that a pair may need to be possible */

static unsigned char *state_of(struct cover *cover, const struct pair *pair)
{
	return &cover->state[pair->a][pair->i][pair->b][pair->j];
}

/* The pairs in their order; false behind the last. */
static bool step(const struct cover *cover, struct pair *pair)
{
	const struct factor *f = cover->factors;

	if (++pair->j < f[pair->b].levels)
		return true;
	pair->j = 0;
	if (++pair->i < f[pair->a].levels)
		return true;
	pair->i = 0;
	if (++pair->b < cover->count)
		return true;
	pair->b = ++pair->a + 1;
	return pair->b < cover->count;
}

static void set(const struct cover *cover, struct options *options, unsigned int factor,
		unsigned int level)
{
	*options_number(cover->factors[factor].row, options) =
		cover->factors[factor].value[level];
}

static bool has(const struct cover *cover, const struct options *options, unsigned int factor,
		unsigned int level)
{
	return *options_number(cover->factors[factor].row, options) ==
	       cover->factors[factor].value[level];
}

static bool contains(const struct cover *cover, const struct options *options,
		     const struct pair *pair)
{
	return has(cover, options, pair->a, pair->i) && has(cover, options, pair->b, pair->j);
}

/* Pairs of @wanted that @options have. */
static unsigned int count_pairs(struct cover *cover, const struct options *options,
				unsigned char wanted)
{
	struct pair pair = { .b = 1 };
	unsigned int count = 0;

	do {
		if (*state_of(cover, &pair) == wanted && contains(cover, options, &pair))
			count++;
	} while (step(cover, &pair));
	return count;
}

static bool legal(struct cover *cover, const struct options *options)
{
	return !mode_refusal(options) && !count_pairs(cover, options, IMPOSSIBLE);
}

/* The initial options, but for two values. */
static void with_pair(const struct cover *cover, const struct pair *pair,
		      struct options *options)
{
	*options = cover->initial;
	set(cover, options, pair->a, pair->i);
	set(cover, options, pair->b, pair->j);
}

/* Make them legal by changing at most so many options that are not of the pair. */
static bool mend(struct cover *cover, struct options *options, const struct pair *pair,
		 unsigned int changes, unsigned int from)
{
	unsigned int factor, level;

	if (legal(cover, options))
		return true;
	for (factor = from; changes && factor < cover->count; factor++) {
		struct options before = *options;

		if (factor == pair->a || factor == pair->b)
			continue;
		for (level = 0; level < cover->factors[factor].levels; level++) {
			set(cover, options, factor, level);
			if (mend(cover, options, pair, changes - 1, factor + 1))
				return true;
			*options = before;
		}
	}
	return false;
}

static bool complete(struct cover *cover, const struct pair *pair, struct options *options)
{
	unsigned int changes;

	for (changes = 0; changes <= CHANGES; changes++) {
		with_pair(cover, pair, options);
		if (mend(cover, options, pair, changes, 0))
			return true;
	}
	return false;
}

/* Let the options that do not matter to the pair bring as many new pairs as they can. */
static void enrich(struct cover *cover, const struct pair *pair, struct options *options)
{
	unsigned int factor, level;

	for (factor = 0; factor < cover->count; factor++) {
		struct options best = *options;
		unsigned int most = count_pairs(cover, options, TO_DO);

		if (factor == pair->a || factor == pair->b)
			continue;
		for (level = 0; level < cover->factors[factor].levels; level++) {
			struct options other = *options;
			unsigned int count;

			set(cover, &other, factor, level);
			if (!legal(cover, &other))
				continue;
			count = count_pairs(cover, &other, TO_DO);
			if (count > most) {
				best = other;
				most = count;
			}
		}
		*options = best;
	}
}

/**
 * pairs_next() - the next combination to run
 * @cover: what was done so far; pairs that cannot be are marked on the way
 * @pair: gets the pair that it is run for
 * @plain: gets the fewest changes that make this pair possible
 * @rich: gets the same with as many other new pairs as fit in
 *
 * Return: whether there is one.
 */
bool pairs_next(struct cover *cover, struct pair *pair, struct options *plain,
		struct options *rich)
{
	*pair = (struct pair) { .b = 1 };
	do {
		if (*state_of(cover, pair) != TO_DO)
			continue;
		if (complete(cover, pair, plain)) {
			*rich = *plain;
			enrich(cover, pair, rich);
			return true;
		}
		*state_of(cover, pair) = IMPOSSIBLE;
	} while (step(cover, pair));
	return false;
}

/**
 * pairs_done() - a combination has run
 * @cover: that gets all its pairs
 * @options: the combination
 */
void pairs_done(struct cover *cover, const struct options *options)
{
	struct pair pair = { .b = 1 };

	do {
		if (*state_of(cover, &pair) == TO_DO && contains(cover, options, &pair))
			*state_of(cover, &pair) = DONE;
	} while (step(cover, &pair));
}

/**
 * pairs_refused() - these two values cannot be together
 * @cover: what was tried
 * @pair: from pairs_next()
 */
void pairs_refused(struct cover *cover, const struct pair *pair)
{
	*state_of(cover, pair) = IMPOSSIBLE;
}

/**
 * pairs_count() - how far it is
 * @cover: the pairs
 * @count: gets the pairs to do, done, and impossible
 */
void pairs_count(struct cover *cover, unsigned int count[3])
{
	struct pair pair = { .b = 1 };

	memset(count, 0, 3 * sizeof(*count));
	do {
		count[*state_of(cover, &pair)]++;
	} while (step(cover, &pair));
}

/**
 * pairs_gone() - can a value not be with any value of some other option?
 * @cover: the pairs
 * @factor: the option
 * @level: the value's place
 *
 * Then it cannot be at all.
 */
bool pairs_gone(struct cover *cover, unsigned int factor, unsigned int level)
{
	unsigned int other, i, left;

	for (other = 0; other < cover->count; other++) {
		left = other == factor;
		for (i = 0; i < cover->factors[other].levels; i++) {
			struct pair pair = { factor, level, other, i };

			if (other < factor)
				pair = (struct pair) { other, i, factor, level };
			left += other == factor || *state_of(cover, &pair) != IMPOSSIBLE;
		}
		if (!left)
			return true;
	}
	return false;
}

/**
 * pairs_impossible() - step through the pairs that cannot be
 * @cover: the pairs
 * @pair: {0} at first
 *
 * Return: whether there is one more.
 */
bool pairs_impossible(struct cover *cover, struct pair *pair)
{
	if (!pair->b)
		pair->b = 1;
	else if (!step(cover, pair))
		return false;
	do {
		if (*state_of(cover, pair) == IMPOSSIBLE)
			return true;
	} while (step(cover, pair));
	return false;
}

/**
 * pairs_reason() - why two values cannot be together
 * @cover: the pairs
 * @pair: the two
 * @options: gets a run in which all is as one of them needs it, but for the other
 *
 * Return: the rule that refuses it; NULL: none does, so it is the device.
 */
const char *pairs_reason(struct cover *cover, const struct pair *pair, struct options *options)
{
	const struct pair alone = { pair->b, pair->j, pair->b, pair->j };

	complete(cover, &alone, options);
	set(cover, options, pair->a, pair->i);
	return mode_refusal(options);
}
