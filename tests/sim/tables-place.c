// SPDX-License-Identifier: GPL-2.0
/* tables-place.c - how even placement is, and how often a chunk is lost */
#include <stdio.h>

#include "run.h"
#include "table.h"

static const unsigned int levels[] = { 50, 80, 95 };
#define LEVELS	(sizeof(levels) / sizeof(*levels))

/* max/mean: the mean of the runs and the worst of them; "no room" where a chunk had no place. */
static void put_imbalance(struct table *table, const struct figures *figures)
{
	if (figures->failed) {
		table_text(table, "no room");
		table_text(table, "no room");
		return;
	}
	table_number(table, 3, sample_mean(&figures->imbalance));
	table_number(table, 3, figures->imbalance.most);
}

static void put_lost(struct table *table, const struct figures *figures)
{
	table_number(table, 2, 100 * sample_mean(&figures->lost));
	table_number(table, 2, 100 * sample_error(&figures->lost));
}

/* P(loss) to that of random placement, and its error. */
static double put_ratio(struct table *table, const struct sample *of, const struct sample *to)
{
	double ratio = sample_mean(of) / sample_mean(to);
	double error = ratio * hypot(sample_error(of) / sample_mean(of), sample_error(to) / sample_mean(to));

	table_number(table, 3, ratio);
	table_number(table, 3, error);
	return ratio + error;
}

void tables_fixed(const struct options *options)
{
	struct table *table = table_begin("fixed", "1,000 servers, 64,000 chunks of two copies, 1 % die at once",
		"full %|width|max/mean|worst|P(loss) %|+-|random %|+- of it|ratio|+- of ratio|targets");
	size_t i;

	for (i = 0; i < LEVELS; i++) {
		struct setting setting = run_fixed(options);
		struct figures sets, random;
		double ratio;

		setting.fill = levels[i];
		sets = run_many(setting, options->runs, options->draws);
		setting.policy = RANDOM;
		random = run_many(setting, options->runs, options->draws);
		table_number(table, 0, setting.fill);
		table_number(table, 1, sample_mean(&sets.width));
		put_imbalance(table, &sets);
		put_lost(table, &sets);
		put_lost(table, &random);
		ratio = put_ratio(table, &sets.lost, &random.lost);
		table_text(table, !sets.failed && sets.imbalance.most <= IMBALANCE_MOST &&
			   sets.width.most <= WIDTH_MOST && ratio <= RATIO_MOST ? "met" : "missed");
	}
	table_end(table);
}

static void policy(struct table *table, const struct options *options, const char *name, enum policy policy,
		   enum knowledge knowledge)
{
	struct setting setting = run_fixed(options);
	struct figures figures;
	double any;

	setting.policy = policy;
	setting.knowledge = knowledge;
	figures = run_many(setting, options->runs / 5, options->draws);
	any = sample_mean(&figures.lost);
	table_text(table, name);
	put_imbalance(table, &figures);
	table_number(table, 1, sample_mean(&figures.width));
	put_lost(table, &figures);
	table_number(table, 1, any ? sample_mean(&figures.chunks_lost) / any : 0);
}

void tables_policies(const struct options *options)
{
	struct table *table = table_begin("policies", "the fixed setting, pools 50 % full",
		"placement|max/mean|worst|width|P(loss) %|+-|chunks lost then");

	policy(table, options, "random", RANDOM, FRESH);
	policy(table, options, "two choices, loads of now", TWO_CHOICES, FRESH);
	policy(table, options, "two choices, published loads", TWO_CHOICES, PUBLISHED);
	policy(table, options, "sets, loads of now", SETS, FRESH);
	policy(table, options, "sets, servers of the set asked", SETS, ASKED);
	policy(table, options, "sets, published loads", SETS, PUBLISHED);
	table_end(table);
}

/* How servers are cut into sets; none: random placement. */
struct shape {
	unsigned int size;
	unsigned int permutations;
};

static void put_shape(struct table *table, struct shape shape, struct setting *setting)
{
	char name[32] = "random";

	setting->policy = shape.size ? SETS : RANDOM;
	if (shape.size) {
		setting->set_size = shape.size;
		setting->permutations = shape.permutations;
		snprintf(name, sizeof(name), "sets of %u, %u x", shape.size, shape.permutations);
	}
	table_text(table, name);
}

static void size(struct table *table, const struct options *options, unsigned int servers)
{
	struct setting setting = run_fixed(options);
	struct figures figures;

	setting.servers = servers;
	setting.racks = servers;
	setting.chunks = 64 * servers;
	setting.dying = 2;
	setting.turns = 1;
	figures = run_many(setting, options->runs, options->draws);
	table_number(table, 0, servers);
	table_number(table, 1, sample_mean(&figures.width));
	put_imbalance(table, &figures);
	put_lost(table, &figures);
	setting.policy = RANDOM;
	figures = run_many(setting, options->runs / 10, options->draws);
	table_number(table, 1, 100 * sample_mean(&figures.lost));
}

void tables_sizes(const struct options *options)
{
	static const unsigned int sizes[] = { 3, 4, 5, 8, 13, 40, 100 };
	struct table *table = table_begin("sizes",
		"two of few servers die at once, 64 chunks a server, pools 50 % full",
		"servers|width|max/mean|worst|P(loss) %|+-|random %");
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		size(table, options, sizes[i]);
	table_end(table);
}

static void width(struct table *table, const struct options *options, struct shape shape)
{
	struct setting setting = run_fixed(options);
	struct figures figures;

	setting.turns = 1;
	put_shape(table, shape, &setting);
	table_number(table, 0, shape.size ? shape.permutations * (shape.size - 1) : setting.servers - 1);
	figures = run_many(setting, options->runs / 10, options->draws * 10);
	table_number(table, 1, sample_mean(&figures.width));
	put_imbalance(table, &figures);
	put_lost(table, &figures);
	setting.copies = 3;
	if (shape.size == 2) {
		table_text(table, "-");
		table_text(table, "-");
		return;
	}
	figures = run_many(setting, options->runs / 10, options->draws * 10);
	put_lost(table, &figures);
}

void tables_widths(const struct options *options)
{
	static const struct shape shapes[] = {
		{ 2, 1 }, { 3, 1 }, { 4, 1 }, { 2, 4 }, { 3, 2 }, { 2, 6 },
		{ 3, 3 }, { 4, 2 }, { 4, 3 }, { 8, 2 }, { 0, 0 },
	};
	struct table *table = table_begin("widths",
		"by scatter width, when each chunk went and came, pools 50 % full",
		"placement|width, at most|width|max/mean|worst|"
		"2 copies: P(loss) %|+- of 2|3 copies: P(loss) %|+- of 3");
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		width(table, options, shapes[i]);
	table_end(table);
}

static void share(struct table *table, const struct options *options, unsigned int share, struct shape shape)
{
	struct setting setting = run_fixed(options);
	struct figures figures;

	setting.share = share;
	table_number(table, 0, share);
	put_shape(table, shape, &setting);
	figures = run_many(setting, options->runs / 10, 0);
	table_number(table, 1, figures.servers);
	put_imbalance(table, &figures);
}

void tables_shares(const struct options *options)
{
	static const unsigned int shares[] = { 1, 2, 4, 8, 16, 64 };
	static const struct shape shapes[] = { { 4, 2 }, { 3, 2 }, { 3, 3 } };
	struct table *table = table_begin("shares", "chunks of a group before it takes one more set, pools 50 % full",
		"chunks|placement|servers a group|max/mean|worst");
	size_t i, j;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		for (j = 0; j < sizeof(shares) / sizeof(*shares); j++)
			share(table, options, shares[j], shapes[i]);
	table_end(table);
}

static void pool(struct table *table, const struct options *options, unsigned int fill, struct shape shape)
{
	struct setting setting = run_fixed(options);
	struct figures figures;

	setting.uneven = true;
	setting.fill = fill;
	put_shape(table, shape, &setting);
	table_number(table, 0, fill);
	figures = run_many(setting, options->runs / 5, 0);
	put_imbalance(table, &figures);
	table_number(table, 1, figures.refusals);
}

void tables_pools(const struct options *options)
{
	static const struct shape shapes[] = { { 4, 2 }, { 3, 2 }, { 3, 3 }, { 0, 0 } };
	struct table *table = table_begin("pools", "pools of three sizes, 1 to 2 to 4",
		"placement|full %|max/mean|worst|refused of 1,000");
	size_t i, j;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		for (j = 0; j < LEVELS; j++)
			pool(table, options, levels[j], shapes[i]);
	table_end(table);
}

void tables_ages(const struct options *options)
{
	static const double rates[] = { 0.1, 1, 10, 100 };
	static const char *const names[] = { "loads of now", "servers of the set asked", "published loads" };
	struct table *table = table_begin("ages", "what is known of loads, pools of three sizes 80 % full",
		"groups a second|known|max/mean|worst|refused of 1,000");
	size_t i, j;

	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		for (j = 0; j < sizeof(names) / sizeof(*names); j++) {
			struct setting setting = run_fixed(options);
			struct figures figures;

			setting.uneven = true;
			setting.fill = 80;
			setting.rate = rates[i];
			setting.knowledge = j;
			figures = run_many(setting, options->runs / 10, 0);
			table_number(table, 1, rates[i]);
			table_text(table, names[j]);
			put_imbalance(table, &figures);
			table_number(table, 1, figures.refusals);
		}
	table_end(table);
}
