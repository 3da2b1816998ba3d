// SPDX-License-Identifier: GPL-2.0
#include "trace.h"

#include <math.h>

#include "client.h"

/* Of chunks. */
static unsigned int draw_size(struct world *world)
{
	return 1 << placement_below(&world->random, 7);
}

static bool one_comes(struct world *world, unsigned int chunks)
{
	world_advance(world, -log(world_fraction(world)) / world->setting->rate);
	return client_create(world, chunks) == chunks;
}

bool trace_fill(struct world *world)
{
	size_t missing;

	while ((missing = world->setting->chunks - world->chunk_count)) {
		unsigned int chunks = draw_size(world);

		if (!one_comes(world, chunks < missing ? chunks : missing))
			return false;
	}
	return true;
}

bool trace_churn(struct world *world, double turns)
{
	double left = world->setting->chunks * turns;

	while (left > 0) {
		unsigned int chunks = draw_size(world);

		while (world->chunk_count + chunks > world->setting->chunks)
			world_remove_group(world, placement_below(&world->random, world->group_count));
		left -= chunks;
		if (!one_comes(world, chunks))
			return false;
	}
	return true;
}

/* All copies that are on it, as far as there is another place. */
static void drain(struct world *world, uint32_t server, struct drains *drains)
{
	unsigned int i, copy;
	size_t group;

	for (group = 0; group < world->group_count; group++)
		for (i = 0; i < world->groups[group].count; i++)
			for (copy = 0; copy < world->setting->copies; copy++) {
				struct chunk *chunk = &world->groups[group].chunks[i];

				if (chunk->at[copy] != server)
					continue;
				drains->copies++;
				drains->moved += client_move(world, chunk, copy);
			}
}

void trace_replace(struct world *world, unsigned int rounds, unsigned int servers)
{
	struct drains drains = { 0 };
	uint32_t gone[16];
	unsigned int i;

	while (rounds--) {
		for (i = 0; i < servers && i < sizeof(gone) / sizeof(*gone); i++) {
			gone[i] = placement_below(&world->random, world->setting->servers);
			world_close(world, gone[i], true);
		}
		for (i = 0; i < servers; i++)
			drain(world, gone[i], &drains);
		world_mend(world, gone, servers);
		for (i = 0; i < servers; i++)
			world_close(world, gone[i], false);
	}
}

struct drains trace_drain(struct world *world, unsigned int servers)
{
	struct drains drains = { 0 };

	while (servers--) {
		uint32_t server = placement_below(&world->random, world->setting->servers);

		world_close(world, server, true);
		drain(world, server, &drains);
		world_close(world, server, false);
	}
	return drains;
}
