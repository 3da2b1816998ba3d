/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pairs.h - few combinations in which every two values meet.
 *
 * Faults that need three options at once are rare; those of two are not.  All
 * combinations would be many thousands of runs.  So a sweep runs only so many that each
 * value of each option meets each value of each other option at least once.
 */
#ifndef VERBS_PAIRS_H
#define VERBS_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "options.h"

#define FACTORS_MAX 20
#define LEVELS_MAX 6

/**
 * struct factor - an option and the values that it takes in a sweep
 * @row: the option
 * @levels: how many values
 * @value: the values
 */
struct factor {
	const struct option_row *row;
	unsigned int levels;
	unsigned int value[LEVELS_MAX];
};

/**
 * struct pair - two values that meet
 * @a: a factor, from 0
 * @i: place of its value, from 0
 * @b: another factor
 * @j: place of that one's value
 */
struct pair {
	unsigned int a, i, b, j;
};

/**
 * struct cover - which pairs there are, and what became of them
 * @factors: the options
 * @count: how many
 * @initial: the other options' values
 * @state: of each pair: 0 to do, 1 done, 2 impossible
 */
struct cover {
	const struct factor *factors;
	unsigned int count;
	struct options initial;
	unsigned char state[FACTORS_MAX][LEVELS_MAX][FACTORS_MAX][LEVELS_MAX];
};

bool pairs_next(struct cover *cover, struct pair *pair, struct options *plain,
		struct options *rich);
void pairs_done(struct cover *cover, const struct options *options);
void pairs_refused(struct cover *cover, const struct pair *pair);
void pairs_count(struct cover *cover, unsigned int count[3]);
bool pairs_gone(struct cover *cover, unsigned int factor, unsigned int level);
bool pairs_impossible(struct cover *cover, struct pair *pair);
const char *pairs_reason(struct cover *cover, const struct pair *pair,
			 struct options *options);

#endif
