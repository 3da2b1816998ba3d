// SPDX-License-Identifier: GPL-2.0
#include "client.h"

#include <string.h>

/* Published loads may have told of room that is gone: then the client asks all servers. */
#define TRIES	16
#define DRAWS	200

/* The set that a client is placing in, and what it knows of that set's servers. */
struct view {
	const struct placement_set *set;
	struct place places[PLACEMENT_SET_MAX];
	unsigned int left;	/* chunks that the group may place there */
};

/* Another set; false: none has room. */
static bool view_take_set(struct world *world, struct view *view, bool ask_all)
{
	const struct setting *setting = world->setting;
	bool fresh = ask_all || setting->knowledge == FRESH;
	long set = placement_pick(fresh ? world->real : world->known, world->sets, world->set_count,
				  CHUNK, setting->copies, &world->random);

	if (set < 0)
		return false;
	world->sets_taken++;
	view->set = &world->sets[set];
	view->left = setting->share;
	fresh |= setting->knowledge == ASKED;
	placement_gather(fresh ? world->real : world->known, view->set, view->places);
	return true;
}

/* What the client has placed itself it knows without being told. */
static void view_note(struct world *world, struct view *view, uint32_t at)
{
	struct place *place = &view->places[at];

	place->free -= CHUNK;
	place->load = placement_use(world->pools[view->set->server[at]], place->free);
}

/* False: a server has refused, and is not asked again; nothing is placed. */
static bool view_put(struct world *world, struct view *view, const uint32_t *at, struct chunk *chunk)
{
	unsigned int copy;

	for (copy = 0; copy < world->setting->copies; copy++) {
		chunk->at[copy] = view->set->server[at[copy]];
		if (world_take(world, chunk->at[copy]))
			continue;
		view->places[at[copy]].closed = true;
		while (copy--)
			world_give(world, chunk->at[copy]);
		return false;
	}
	for (copy = 0; copy < world->setting->copies; copy++)
		view_note(world, view, at[copy]);
	view->left--;
	return true;
}

/* False: there is no place for it. */
static bool place_in_sets(struct world *world, struct view *view, struct chunk *chunk)
{
	unsigned int tries = 0;
	uint32_t at[PLACEMENT_COPIES_MAX];

	for (;;) {
		while (view->left && placement_chunk(view->places, view->set->count, CHUNK,
						     world->setting->copies, at))
			if (view_put(world, view, at, chunk))
				return true;
		if (!view_take_set(world, view, tries++ >= TRIES))
			return false;
	}
}

/* A server with room in another domain than the chunk's other copies, or -1. */
static long draw(struct world *world, const struct place *places, const char *const *taken, size_t count)
{
	unsigned int servers = world->setting->servers;
	size_t server = 0, i;

	/* When most are full, one after the other. */
	for (i = 0; i < DRAWS + servers; i++) {
		server = i < DRAWS ? placement_below(&world->random, servers) : (server + 1) % servers;
		if (placement_choose(&places[server], 1, CHUNK, taken, count) == 0)
			return server;
	}
	return -1;
}

/* A server for one more copy: a random one, or the emptier of two. */
static long choose(struct world *world, const struct place *places, const char *const *taken, size_t count)
{
	long server = draw(world, places, taken, count), other;

	if (world->setting->policy == RANDOM || server < 0)
		return server;
	other = draw(world, places, taken, count);
	return places[other].load < places[server].load ? other : server;
}

/* Copies @first to @end - 1, apart from those in the domains that are taken; none if not all. */
static bool place_anywhere(struct world *world, struct chunk *chunk, unsigned int first, unsigned int end,
			   const char **taken, size_t count)
{
	unsigned int tries = 0, copy = first;

	while (copy < end) {
		bool fresh = world->setting->knowledge == FRESH || tries++ >= TRIES;
		long server = choose(world, fresh ? world->real : world->known, taken, count);

		if (server < 0) {
			while (copy > first)
				world_give(world, chunk->at[--copy]);
			return false;
		}
		if (!world_take(world, server))
			continue;
		chunk->at[copy++] = server;
		taken[count++] = world->real[server].domain;
	}
	return true;
}

static bool place(struct world *world, struct view *view, struct chunk *chunk)
{
	const char *taken[PLACEMENT_COPIES_MAX];

	if (world->setting->policy == SETS)
		return place_in_sets(world, view, chunk);
	return place_anywhere(world, chunk, 0, world->setting->copies, taken, 0);
}

unsigned int client_create(struct world *world, unsigned int chunks)
{
	struct group *group = world_add_group(world);
	struct view view = { .left = 0 };

	while (group->count < chunks && place(world, &view, &group->chunks[group->count]))
		group->count++;
	world->chunk_count += group->count;
	return group->count;
}

bool client_move(struct world *world, struct chunk *chunk, unsigned int copy)
{
	const char *taken[PLACEMENT_COPIES_MAX];
	uint32_t others[PLACEMENT_COPIES_MAX];
	struct chunk moved = *chunk;
	size_t count = 0;
	unsigned int i;

	for (i = 0; i < world->setting->copies; i++) {
		if (i == copy)
			continue;
		others[count] = chunk->at[i];
		taken[count++] = world->real[chunk->at[i]].domain;
	}
	if (world->setting->policy == SETS) {
		long server = placement_again(world->real, world->sets, world->set_count, CHUNK, others, count);

		if (server < 0 || !world_take(world, server))
			return false;
		moved.at[copy] = server;
	} else if (!place_anywhere(world, &moved, copy, copy + 1, taken, count)) {
		return false;
	}
	world_give(world, chunk->at[copy]);
	*chunk = moved;
	return true;
}
