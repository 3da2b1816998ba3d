// SPDX-License-Identifier: GPL-2.0
#include "run.h"

#include "loss.h"
#include "trace.h"

struct setting run_fixed(const struct options *options)
{
	return (struct setting) {
		.servers = 1000,
		.racks = 40,
		.chunks = 64000,
		.copies = 2,
		.fill = 50,
		.policy = SETS,
		.set_size = PLACEMENT_SET,
		.permutations = PLACEMENT_PERMUTATIONS,
		.share = PLACEMENT_SHARE,
		.knowledge = ASKED,
		.rate = 1,
		.dying = 10,
		.seed = options->seed,
	};
}

static void draw(const struct world *world, size_t draws, struct figures *figures)
{
	struct loss *loss = loss_new(world);
	uint64_t random = ~world->setting->seed;
	size_t lost = 0, chunks = 0, i;

	for (i = 0; i < draws; i++) {
		size_t now = loss_of_servers(loss, world->setting->dying, &random);

		lost += now > 0;
		chunks += now;
	}
	sample_add(&figures->width, loss_width(loss));
	sample_add(&figures->lost, (double)lost / draws);
	sample_add(&figures->chunks_lost, (double)chunks / draws);
	loss_free(loss);
}

struct figures run_many(struct setting setting, size_t runs, size_t draws)
{
	struct figures figures = { 0 };
	size_t creates = 0, groups = 0, sets = 0, refusals = 0;

	while (runs--) {
		struct world *world = world_new(&setting);

		figures.failed += !(trace_fill(world) && trace_churn(world, setting.turns));
		sample_add(&figures.imbalance, world_imbalance(world));
		if (draws)
			draw(world, draws, &figures);
		creates += world->chunk_count * setting.copies + world->refusals;
		refusals += world->refusals;
		groups += world->group_count;
		sets += world->sets_taken;
		world_free(world);
		setting.seed++;
	}
	figures.refusals = 1000.0 * refusals / creates;
	figures.servers = (double)sets * setting.set_size / groups;
	return figures;
}
