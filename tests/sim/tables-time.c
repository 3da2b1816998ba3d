// SPDX-License-Identifier: GPL-2.0
/* tables-time.c - failures of racks, repairs, groups that come and go, and what etcd would see */
#include <stdio.h>

#include "loss.h"
#include "repair.h"
#include "run.h"
#include "table.h"
#include "trace.h"

/* All P(loss) and chunks lost of one cluster. */
static void count_racks(const struct world *world, unsigned int racks, size_t draws, struct sample *any,
			struct sample *chunks)
{
	struct loss *loss = loss_new(world);
	uint64_t random = ~world->setting->seed;
	size_t lost = 0, all = 0, i;

	for (i = 0; i < draws; i++) {
		size_t now = loss_of_racks(loss, racks, &random);

		lost += now > 0;
		all += now;
	}
	sample_add(any, (double)lost / draws);
	sample_add(chunks, (double)all / draws);
	loss_free(loss);
}

static void racks(struct table *table, const struct options *options, enum policy policy, unsigned int count)
{
	struct setting setting = run_fixed(options);
	struct sample one = { 0 }, two = { 0 }, chunks = { 0 }, balance = { 0 };
	size_t i;

	setting.policy = policy;
	setting.racks = count;
	for (i = 0; i < options->runs / 10; i++, setting.seed++) {
		struct world *world = world_new(&setting);

		if (trace_fill(world))
			sample_add(&balance, world_imbalance(world));
		count_racks(world, 1, options->draws, &one, &chunks);
		chunks = (struct sample){ 0 };
		count_racks(world, 2, options->draws, &two, &chunks);
		world_free(world);
	}
	table_number(table, 0, count);
	table_text(table, policy == SETS ? "sets" : "random");
	table_number(table, 3, sample_mean(&balance));
	table_number(table, 1, 100 * sample_mean(&one));
	table_number(table, 1, 100 * sample_mean(&two));
	table_number(table, 1, 100 * sample_mean(&chunks) / setting.chunks);
}

void tables_racks(const struct options *options)
{
	static const unsigned int counts[] = { 40, 10, 4, 3 };
	struct table *table = table_begin("racks", "all servers of a rack die; of two racks",
		"racks|placement|max/mean|one: P(loss) %|two: P(loss) %|two: of all chunks %");
	size_t i;

	for (i = 0; i < 2 * sizeof(counts) / sizeof(*counts); i++)
		racks(table, options, i % 2 ? RANDOM : SETS, counts[i / 2]);
	table_end(table);
}

/* Seconds a chunk, at a link of so many gigabits a second. */
static double chunk_seconds(double gigabits)
{
	return CHUNK * 8 / (gigabits * 1e9);
}

#define REPAIR_WAIT	75	/* seconds: 60, and 0 to 30 at random */
#define CRASHES		4	/* of a server in a year: reboots that lose memory, too */
#define YEAR		(365 * 86400.0)

/*
 * How often in a year a second server dies, of those that share chunks with a first one, before
 * the repair has ended: servers that die independently, at random.
 */
static double losses_a_year(unsigned int servers, double width, double seconds)
{
	return servers * CRASHES * width * CRASHES * (REPAIR_WAIT + seconds) / YEAR;
}

static void repair(struct table *table, const struct options *options, unsigned int size,
		   unsigned int permutations)
{
	struct setting setting = run_fixed(options);
	struct sample copies = { 0 }, sources = { 0 }, steps = { 0 }, width = { 0 };
	char name[32] = "random";
	size_t lacking = 0, i;

	if (size) {
		setting.set_size = size;
		setting.permutations = permutations;
		snprintf(name, sizeof(name), "sets of %u, %u x", size, permutations);
	} else {
		setting.policy = RANDOM;
	}
	setting.fill = 80;
	for (i = 0; i < options->runs / 10; i++, setting.seed++) {
		struct world *world = world_new(&setting);
		struct repair done;
		struct loss *loss;

		trace_fill(world);
		loss = loss_new(world);
		sample_add(&width, loss_width(loss));
		loss_free(loss);
		done = repair_one(world);
		sample_add(&copies, done.copies);
		sample_add(&sources, done.sources);
		sample_add(&steps, done.steps);
		lacking += done.copies - done.repaired;
		world_free(world);
	}
	table_text(table, name);
	table_number(table, 1, sample_mean(&copies));
	table_number(table, 1, sample_mean(&sources));
	table_number(table, 1, sample_mean(&steps));
	table_number(table, 1, sample_mean(&steps) * chunk_seconds(100));
	table_number(table, 1, sample_mean(&steps) * chunk_seconds(25));
	table_number(table, 1, 100.0 * lacking / copies.sum);
	/* What is not repaired waits for the next one to die, however long. */
	if (lacking)
		table_text(table, "-");
	else
		table_number(table, 2, losses_a_year(setting.servers, sample_mean(&width),
						     sample_mean(&steps) * chunk_seconds(25)));
}

void tables_repair(const struct options *options)
{
	struct table *table = table_begin("repair",
		"a dead server's chunks of 1 GiB are copied, pools 80 % full; each server dies 4 times a year",
		"placement|chunks|sources|steps|s at 100 Gb/s|at 25 Gb/s|no place %|losses a year");

	repair(table, options, 2, 1);
	repair(table, options, 4, 1);
	repair(table, options, 3, 2);
	repair(table, options, 4, 2);
	repair(table, options, 8, 2);
	repair(table, options, 0, 0);
	table_end(table);
}

struct stage {
	struct sample imbalance, width, lost;
	struct sample moves;	/* for each server that was drained */
	struct sample moved;	/* of the copies that were on them, in per cent */
};

static void look(struct stage *stage, const struct world *world, size_t draws)
{
	struct loss *loss = loss_new(world);
	uint64_t random = ~world->setting->seed;
	size_t lost = 0, i;

	for (i = 0; i < draws; i++)
		lost += loss_of_servers(loss, world->setting->dying, &random) > 0;
	sample_add(&stage->imbalance, world_imbalance(world));
	sample_add(&stage->width, loss_width(loss));
	sample_add(&stage->lost, (double)lost / draws);
	loss_free(loss);
}

static void put_stage(struct table *table, const char *name, const struct stage *stage)
{
	table_text(table, name);
	table_number(table, 3, sample_mean(&stage->imbalance));
	table_number(table, 3, stage->imbalance.most);
	table_number(table, 1, sample_mean(&stage->width));
	table_number(table, 2, 100 * sample_mean(&stage->lost));
	table_number(table, 1, stage->moves.count ? sample_mean(&stage->moves) : 0);
	if (stage->moved.count)
		table_number(table, 1, sample_mean(&stage->moved));
	else
		table_text(table, "-");
}

#define TURNS	3
#define DRAINS	100
#define ROUNDS	10

void tables_churn(const struct options *options)
{
	struct table *table = table_begin("churn", "groups come and go, servers drain, pools 80 % full",
		"when|max/mean|worst|width|P(loss) %|moves a drain|of its copies %");
	struct setting setting = run_fixed(options);
	struct stage filled = { 0 }, churned = { 0 }, drained = { 0 }, again = { 0 }, replaced = { 0 }, cut = { 0 };
	size_t i;

	setting.fill = 80;
	for (i = 0; i < options->runs / 10; i++, setting.seed++) {
		struct world *world = world_new(&setting);
		struct drains drains;

		trace_fill(world);
		look(&filled, world, options->draws);
		trace_churn(world, TURNS);
		look(&churned, world, options->draws);
		drains = trace_drain(world, DRAINS);
		sample_add(&drained.moves, (double)drains.moved / DRAINS);
		sample_add(&drained.moved, 100.0 * drains.moved / drains.copies);
		look(&drained, world, options->draws);
		trace_churn(world, 1);
		look(&again, world, options->draws);
		trace_replace(world, ROUNDS, DRAINS / ROUNDS);
		trace_churn(world, 0.5);
		look(&replaced, world, options->draws);
		world_cut(world, ~setting.seed);
		trace_churn(world, 0.5);
		look(&cut, world, options->draws);
		world_free(world);
	}
	put_stage(table, "all groups have come", &filled);
	put_stage(table, "each chunk went and came 3 times", &churned);
	put_stage(table, "100 servers drained, one by one", &drained);
	put_stage(table, "each chunk went and came once more", &again);
	put_stage(table, "100 servers replaced, sets mended, half of the chunks new", &replaced);
	put_stage(table, "sets cut anew, half of the chunks new", &cut);
	table_end(table);
}

#define TTL_LEAST	30.0	/* seconds */
#define TTL_MOST	45.0
#define AGAIN		300.0	/* seconds, after which an agent writes what has not changed */
#define FOLDERS		3	/* of servers, loads and sets, that a command reads */

static void rate(struct table *table, const char *kind, double rate, const char *how)
{
	table_text(table, kind);
	table_number(table, 1, rate);
	table_text(table, how);
}

void tables_etcd(const struct options *options)
{
	struct table *table = table_begin("etcd",
		"requests a second of 1,000 nodes, one group coming and going a second",
		"kind|a second|how it is known");
	struct setting setting = run_fixed(options);
	struct world *world;
	size_t publications;
	double began;

	setting.fill = 80;
	world = world_new(&setting);
	trace_fill(world);
	publications = world->publications;
	began = world->now;
	trace_churn(world, 1);
	rate(table, "lease renewals", setting.servers * 3 * log(TTL_MOST / TTL_LEAST) / (TTL_MOST - TTL_LEAST),
	     "a third of a TTL of 30 to 45 s");
	rate(table, "load writes", (world->publications - publications) / (world->now - began), "simulated");
	rate(table, "load writes, at most", setting.servers / 10.0, "each server every 10 s");
	rate(table, "writes of what is as it was", 2 * setting.servers / AGAIN, "a server and its load, every 300 s");
	rate(table, "reads", FOLDERS * setting.rate, "each folder, when a group is made");
	world_free(world);
	table_end(table);
}

static void published(struct table *table, const char *what, const char *figure, const char *source)
{
	table_text(table, what);
	table_text(table, figure);
	table_text(table, source);
}

void tables_published(const struct options *options)
{
	struct table *table = table_begin("published", "by others, of their systems; nothing of it was run here",
		"system|figure|source");

	(void)options;
	published(table, "Copysets, RAMCloud of 5,000 nodes, power outage", "P(loss) 99.99 % to 0.15 %",
		  "Cidon et al., USENIX ATC 2013");
	published(table, "Hydra, erasure coding, correlated failures", "P(loss) / 10; memory of replication / 1.6",
		  "Lee et al., FAST 2022");
	published(table, "Infiniswap, 32 nodes", "memory utilisation x 1.47", "Gu et al., NSDI 2017");
	table_end(table);
}
