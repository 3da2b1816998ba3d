// SPDX-License-Identifier: GPL-2.0
#include "loss.h"

#include <stdlib.h>
#include <string.h>

struct loss {
	const struct setting *setting;
	struct chunk *chunks;
	size_t chunk_count;
	uint32_t *held;		/* chunks, those of a server together */
	size_t *begin;		/* of server N in @held; the next one's begin is its end */
	bool *dead;
};

static void collect(struct loss *loss, const struct world *world)
{
	size_t group;

	for (group = 0; group < world->group_count; group++) {
		const struct group *of = &world->groups[group];

		memcpy(loss->chunks + loss->chunk_count, of->chunks, of->count * sizeof(*of->chunks));
		loss->chunk_count += of->count;
	}
}

/* First how many chunks each server holds, then which. */
static void sort(struct loss *loss)
{
	unsigned int copies = loss->setting->copies, copy;
	size_t i;

	for (i = 0; i < loss->chunk_count; i++)
		for (copy = 0; copy < copies; copy++)
			loss->begin[loss->chunks[i].at[copy]]++;
	for (i = 1; i <= loss->setting->servers; i++)
		loss->begin[i] += loss->begin[i - 1];
	for (i = 0; i < loss->chunk_count; i++)
		for (copy = 0; copy < copies; copy++)
			loss->held[--loss->begin[loss->chunks[i].at[copy]]] = i;
}

struct loss *loss_new(const struct world *world)
{
	struct loss *loss = checked(calloc(1, sizeof(*loss)));
	size_t servers = world->setting->servers;

	loss->setting = world->setting;
	loss->chunks = checked(calloc(world->chunk_count, sizeof(*loss->chunks)));
	loss->held = checked(calloc(world->chunk_count * world->setting->copies, sizeof(*loss->held)));
	loss->begin = checked(calloc(servers + 1, sizeof(*loss->begin)));
	loss->dead = checked(calloc(servers, sizeof(*loss->dead)));
	collect(loss, world);
	sort(loss);
	return loss;
}

void loss_free(struct loss *loss)
{
	free(loss->chunks);
	free(loss->held);
	free(loss->begin);
	free(loss->dead);
	free(loss);
}

static bool is_lost(const struct loss *loss, const struct chunk *chunk)
{
	unsigned int copy;

	for (copy = 0; copy < loss->setting->copies; copy++)
		if (!loss->dead[chunk->at[copy]])
			return false;
	return true;
}

/* Each lost chunk is met once for each copy. */
static size_t count_lost(const struct loss *loss)
{
	size_t lost = 0, server, i;

	for (server = 0; server < loss->setting->servers; server++) {
		if (!loss->dead[server])
			continue;
		for (i = loss->begin[server]; i < loss->begin[server + 1]; i++)
			lost += is_lost(loss, &loss->chunks[loss->held[i]]);
	}
	return lost / loss->setting->copies;
}

size_t loss_of_servers(struct loss *loss, unsigned int servers, uint64_t *random)
{
	memset(loss->dead, 0, loss->setting->servers * sizeof(*loss->dead));
	while (servers) {
		uint32_t server = placement_below(random, loss->setting->servers);

		servers -= !loss->dead[server];
		loss->dead[server] = true;
	}
	return count_lost(loss);
}

size_t loss_of_racks(struct loss *loss, unsigned int racks, uint64_t *random)
{
	memset(loss->dead, 0, loss->setting->servers * sizeof(*loss->dead));
	while (racks) {
		uint32_t rack = placement_below(random, loss->setting->racks), server;

		racks -= !loss->dead[rack];
		for (server = rack; server < loss->setting->servers; server += loss->setting->racks)
			loss->dead[server] = true;
	}
	return count_lost(loss);
}

static size_t neighbours(const struct loss *loss, size_t server, bool *seen)
{
	size_t count = 0, i;
	unsigned int copy;

	memset(seen, 0, loss->setting->servers * sizeof(*seen));
	seen[server] = true;
	for (i = loss->begin[server]; i < loss->begin[server + 1]; i++)
		for (copy = 0; copy < loss->setting->copies; copy++) {
			bool *other = &seen[loss->chunks[loss->held[i]].at[copy]];

			count += !*other;
			*other = true;
		}
	return count;
}

double loss_width(const struct loss *loss)
{
	bool *seen = checked(calloc(loss->setting->servers, sizeof(*seen)));
	size_t all = 0, server;

	for (server = 0; server < loss->setting->servers; server++)
		all += neighbours(loss, server, seen);
	free(seen);
	return (double)all / loss->setting->servers;
}
