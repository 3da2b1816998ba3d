// SPDX-License-Identifier: GPL-2.0
#include "repair.h"

#include <stdlib.h>

#include "client.h"

/* A copy that is to be made, by the client of its group. */
struct job {
	size_t group;
	uint16_t from;
	uint16_t to;
	bool done;
};

struct jobs {
	struct job *job;
	size_t count;
};

/* The server of another copy, from which the lost one is made. */
static uint16_t survivor(const struct chunk *chunk, unsigned int lost)
{
	return chunk->at[lost ? 0 : 1];
}

static void add(struct jobs *jobs, size_t group, uint16_t from, uint16_t to)
{
	jobs->job[jobs->count++] = (struct job){ .group = group, .from = from, .to = to };
}

/* Places for all copies that the server held. */
static void find_places(struct world *world, uint32_t server, struct jobs *jobs, struct repair *repair)
{
	unsigned int i, copy;
	size_t group;

	for (group = 0; group < world->group_count; group++)
		for (i = 0; i < world->groups[group].count; i++)
			for (copy = 0; copy < world->setting->copies; copy++) {
				struct chunk *chunk = &world->groups[group].chunks[i];

				if (chunk->at[copy] != server)
					continue;
				repair->copies++;
				if (client_move(world, chunk, copy))
					add(jobs, group, survivor(chunk, copy), chunk->at[copy]);
			}
	repair->repaired = jobs->count;
}

static size_t count_sources(const struct jobs *jobs, size_t servers)
{
	bool *seen = checked(calloc(servers, sizeof(*seen)));
	size_t count = 0, i;

	for (i = 0; i < jobs->count; i++) {
		count += !seen[jobs->job[i].from];
		seen[jobs->job[i].from] = true;
	}
	free(seen);
	return count;
}

/* In which step server or client was busy last. */
struct busy {
	size_t *giving;
	size_t *taking;
	size_t *client;
};

/* Begin what can be; the number of jobs that were done in this step. */
static size_t do_step(struct jobs *jobs, const struct busy *busy, size_t step)
{
	size_t done = 0, i;

	for (i = 0; i < jobs->count; i++) {
		struct job *job = &jobs->job[i];

		if (job->done || busy->giving[job->from] == step || busy->taking[job->to] == step ||
		    busy->client[job->group] == step)
			continue;
		busy->giving[job->from] = busy->taking[job->to] = busy->client[job->group] = step;
		job->done = true;
		done++;
	}
	return done;
}

static size_t count_steps(const struct world *world, struct jobs *jobs)
{
	struct busy busy = {
		.giving = checked(calloc(world->setting->servers, sizeof(size_t))),
		.taking = checked(calloc(world->setting->servers, sizeof(size_t))),
		.client = checked(calloc(world->group_count, sizeof(size_t))),
	};
	size_t left = jobs->count, steps = 0;

	while (left)
		left -= do_step(jobs, &busy, ++steps);
	free(busy.giving);
	free(busy.taking);
	free(busy.client);
	return steps;
}

struct repair repair_one(struct world *world)
{
	uint32_t server = placement_below(&world->random, world->setting->servers);
	struct jobs jobs = { .job = checked(calloc(world->chunk_count, sizeof(*jobs.job))) };
	struct repair repair = { 0 };

	world_close(world, server, true);
	find_places(world, server, &jobs, &repair);
	repair.sources = count_sources(&jobs, world->setting->servers);
	repair.steps = count_steps(world, &jobs);
	free(jobs.job);
	return repair;
}
