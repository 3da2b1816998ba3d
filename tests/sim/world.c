// SPDX-License-Identifier: GPL-2.0
#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *checked(void *memory)
{
	if (!memory) {
		fputs("sim: no memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void *array(size_t count, size_t size)
{
	return checked(calloc(count ?: 1, size));
}

/* So that all chunks fill them as the setting says; the parts of uneven ones are drawn first. */
static void make_pools(struct world *world)
{
	const struct setting *setting = world->setting;
	double parts = 0, bytes = setting->chunks * (double)setting->copies * 100 / setting->fill;
	size_t i;

	for (i = 0; i < setting->servers; i++) {
		world->pools[i] = setting->uneven ? 1 << placement_below(&world->random, 3) : 1;
		parts += world->pools[i];
	}
	for (i = 0; i < setting->servers; i++) {
		world->pools[i] = (uint64_t)ceil(world->pools[i] * bytes / parts) * CHUNK;
		snprintf(world->racks[i], sizeof(*world->racks), "%zu", i % setting->racks);
		world->real[i] = (struct place){ .domain = world->racks[i], .free = world->pools[i] };
		world->known[i] = world->real[i];
		world->published[i] = -PLACEMENT_NEWS_SECONDS;
	}
}

void world_cut(struct world *world, uint64_t seed)
{
	const struct setting *setting = world->setting;
	unsigned int i;

	if (!placement_cut(world->real, setting->servers, setting->set_size, setting->permutations, seed,
			   world->sets))
		checked(NULL);
	world->set_count = placement_set_count(setting->servers, setting->set_size, setting->permutations);
	for (i = 0; i < setting->permutations; i++)
		world->of_permutation[i] = world->set_count / setting->permutations;
}

static void leave(struct placement_set *set, const uint32_t *gone, unsigned int count)
{
	size_t left = 0, i;
	unsigned int k;

	for (i = 0; i < set->count; i++) {
		for (k = 0; k < count && gone[k] != set->server[i]; k++)
			;
		if (k == count)
			set->server[left++] = set->server[i];
	}
	set->count = left;
}

void world_mend(struct world *world, const uint32_t *gone, unsigned int count)
{
	const struct setting *setting = world->setting;
	struct placement_set *mended = array(setting->servers * setting->permutations, sizeof(*mended));
	struct placement_set *old = world->sets, *new = mended;
	unsigned int i;
	size_t k;

	for (i = 0; i < setting->permutations; i++) {
		size_t *sets = &world->of_permutation[i];

		memcpy(new, old, *sets * sizeof(*new));
		old += *sets;
		for (k = 0; k < *sets; k++)
			leave(&new[k], gone, count);
		if (!placement_mend(world->real, setting->servers, setting->set_size,
				    placement_random(&world->random), new, sets))
			checked(NULL);
		new += *sets;
	}
	free(world->sets);
	world->sets = mended;
	world->set_count = new - mended;
}

struct world *world_new(const struct setting *setting)
{
	struct world *world = array(1, sizeof(*world));

	world->setting = setting;
	world->random = setting->seed;
	world->real = array(setting->servers, sizeof(*world->real));
	world->known = array(setting->servers, sizeof(*world->known));
	world->pools = array(setting->servers, sizeof(*world->pools));
	world->published = array(setting->servers, sizeof(*world->published));
	world->racks = array(setting->servers, sizeof(*world->racks));
	make_pools(world);
	if (setting->policy == SETS) {
		world->of_permutation = array(setting->permutations, sizeof(*world->of_permutation));
		world->sets = array(setting->servers * setting->permutations, sizeof(*world->sets));
		world_cut(world, placement_random(&world->random));
	}
	return world;
}

void world_free(struct world *world)
{
	free(world->real);
	free(world->known);
	free(world->pools);
	free(world->published);
	free(world->racks);
	free(world->sets);
	free(world->of_permutation);
	free(world->groups);
	free(world);
}

double world_fraction(struct world *world)
{
	return ((placement_random(&world->random) >> 11) + 1) * 0x1p-53;
}

void world_advance(struct world *world, double seconds)
{
	size_t i;

	world->now += seconds;
	for (i = 0; i < world->setting->servers; i++) {
		if (world->now < world->published[i] + PLACEMENT_NEWS_SECONDS ||
		    !placement_is_news(world->pools[i], world->known[i].free, world->real[i].free))
			continue;
		world->known[i] = world->real[i];
		world->published[i] = world->now;
		world->publications++;
	}
}

bool world_take(struct world *world, uint32_t server)
{
	struct place *place = &world->real[server];

	if (place->closed || place->free < CHUNK) {
		world->refusals++;
		return false;
	}
	place->free -= CHUNK;
	place->load = placement_use(world->pools[server], place->free);
	return true;
}

void world_give(struct world *world, uint32_t server)
{
	struct place *place = &world->real[server];

	place->free += CHUNK;
	place->load = placement_use(world->pools[server], place->free);
}

void world_close(struct world *world, uint32_t server, bool closed)
{
	world->real[server].closed = closed;
	world->known[server].closed = closed;
}

struct group *world_add_group(struct world *world)
{
	if (world->group_count == world->group_room) {
		world->group_room = world->group_room * 2 ?: 1024;
		world->groups = checked(reallocarray(world->groups, world->group_room, sizeof(*world->groups)));
	}
	world->groups[world->group_count].count = 0;
	return &world->groups[world->group_count++];
}

void world_remove_group(struct world *world, size_t at)
{
	struct group *group = &world->groups[at];
	unsigned int i, copy;

	for (i = 0; i < group->count; i++)
		for (copy = 0; copy < world->setting->copies; copy++)
			world_give(world, group->chunks[i].at[copy]);
	world->chunk_count -= group->count;
	*group = world->groups[--world->group_count];
}

double world_imbalance(const struct world *world)
{
	double used = 0, all = 0, most = 0;
	size_t i;

	for (i = 0; i < world->setting->servers; i++) {
		double of_it = world->pools[i] - world->real[i].free;

		used += of_it;
		all += world->pools[i];
		most = fmax(most, of_it / world->pools[i]);
	}
	return used ? most / (used / all) : 1;
}
